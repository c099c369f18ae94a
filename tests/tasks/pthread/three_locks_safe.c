// Three threads with two of three locks each, always the lesser first.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock[3];

void *thread(void *argument) {
  const int self = (int)(long)argument;
  int one = self, two = (self + 1) % 3;
  if (one > two) {
    const int swap = one;
    one = two;
    two = swap;
  }
  pthread_mutex_lock(&lock[one]);
  pthread_mutex_lock(&lock[two]);
  pthread_mutex_unlock(&lock[one]);
  pthread_mutex_unlock(&lock[two]);
  return NULL;
}

int main(void) {
  pthread_t t0, t1, t2;
  for (int k = 0; k < 3; k++) pthread_mutex_init(&lock[k], NULL);
  pthread_create(&t0, NULL, thread, (void *)0);
  pthread_create(&t1, NULL, thread, (void *)1);
  pthread_create(&t2, NULL, thread, (void *)2);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  pthread_join(t2, NULL);
  return 0;
}
