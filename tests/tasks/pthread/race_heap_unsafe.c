// Two threads write a heap object that they share.
// Fails with: 406580
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

void *thread(void *argument) {
  int *cell = argument;
  *cell = *cell + 1;
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int *one = calloc(1, sizeof *one), *two = calloc(1, sizeof *two);
  if (!one || !two) abort();
  pthread_create(&a, NULL, thread, one);
  pthread_create(&b, NULL, thread, one);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  free(one);
  free(two);
  return 0;
}
