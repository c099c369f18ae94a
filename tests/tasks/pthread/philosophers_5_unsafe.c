// Five dining philosophers; the last one takes the forks in the other order; all take the left fork first.
// Fails with: 4009096
#include <assert.h>
#include <pthread.h>

enum { SEATS = 5 };
pthread_mutex_t forks[SEATS];

void *philosopher(void *argument) {
  const int self = (int)(long)argument, left = self, right = (self + 1) % SEATS;
  const int first = left, second = right;
  pthread_mutex_lock(&forks[first]);
  pthread_mutex_lock(&forks[second]);
  pthread_mutex_unlock(&forks[second]);
  pthread_mutex_unlock(&forks[first]);
  return NULL;
}

int main(void) {
  pthread_t t0, t1, t2, t3, t4;
  for (int k = 0; k < SEATS; k++) pthread_mutex_init(&forks[k], NULL);
  pthread_create(&t0, NULL, philosopher, (void *)0);
  pthread_create(&t1, NULL, philosopher, (void *)1);
  pthread_create(&t2, NULL, philosopher, (void *)2);
  pthread_create(&t3, NULL, philosopher, (void *)3);
  pthread_create(&t4, NULL, philosopher, (void *)4);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  pthread_join(t2, NULL);
  pthread_join(t3, NULL);
  pthread_join(t4, NULL);
  return 0;
}
