// Readers at the same time are no race.
#include <assert.h>
#include <pthread.h>

int table[2] = {1, 2};

void *reader(void *argument) {
  const int k = (int)(long)argument;
  return (void *)(long)(table[0] + table[k]);
}

int main(void) {
  pthread_t t0, t1;
  pthread_create(&t0, NULL, reader, (void *)0);
  pthread_create(&t1, NULL, reader, (void *)1);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  return 0;
}
