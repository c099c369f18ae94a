// Threads are made in a loop, each with a number of its own.
#include <assert.h>
#include <pthread.h>

enum { THREADS = 3 };
int mine[THREADS];

void *thread(void *argument) {
  mine[(long)argument]++;
  return NULL;
}

int main(void) {
  pthread_t t[THREADS];
  int k;
  for (k = 0; k < THREADS; k++) pthread_create(&t[k], NULL, thread, (void *)(long)k);
  for (int j = 0; j < THREADS; j++) pthread_join(t[j], NULL);
  for (int j = 0; j < THREADS; j++) assert(mine[j] == 1);
  return 0;
}
