// A thread works on a variable of main's stack, which main reads too early.
// Fails with: 406580
#include <assert.h>
#include <pthread.h>

void *thread(void *argument) {
  *(int *)argument = 1;
  return NULL;
}

int main(void) {
  pthread_t t;
  int local = 0;
  pthread_create(&t, NULL, thread, &local);
  local++;
  pthread_join(t, NULL);
  return 0;
}
