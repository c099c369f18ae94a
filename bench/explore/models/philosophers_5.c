// Five dining philosophers without end; the last one takes the forks in the other order.
// Property: deadlock
#include <pthread.h>

enum { SEATS = 5 };
pthread_mutex_t forks[SEATS] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                PTHREAD_MUTEX_INITIALIZER};

void *philosopher(void *argument) {
  const int self = (int)(long)argument, left = self, right = (self + 1) % SEATS;
  const int first = self == SEATS - 1 ? right : left, second = self == SEATS - 1 ? left : right;
  for (;;) {
    pthread_mutex_lock(&forks[first]);
    pthread_mutex_lock(&forks[second]);
    pthread_mutex_unlock(&forks[second]);
    pthread_mutex_unlock(&forks[first]);
  }
  return NULL;
}

int main(void) {
  pthread_t t1, t2, t3, t4;
  pthread_create(&t1, NULL, philosopher, (void *)1);
  pthread_create(&t2, NULL, philosopher, (void *)2);
  pthread_create(&t3, NULL, philosopher, (void *)3);
  pthread_create(&t4, NULL, philosopher, (void *)4);
  philosopher((void *)0);
  return 0;
}
