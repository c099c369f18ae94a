// Each thread writes its own cells.
#include <assert.h>
#include <pthread.h>

int row[5];

void *thread(void *argument) {
  const long first = (long)argument;
  for (long k = first; k < first + 2; k++) row[k] = 1;
  return NULL;
}

int main(void) {
  pthread_t t0, t1;
  pthread_create(&t0, NULL, thread, (void *)0);
  pthread_create(&t1, NULL, thread, (void *)2);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  return 0;
}
