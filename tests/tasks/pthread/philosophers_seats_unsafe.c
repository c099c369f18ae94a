// Three philosophers, and a semaphore lets two of them sit down; it lets all.
// Fails with: 406580
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

enum { SEATS = 3 };
pthread_mutex_t forks[SEATS];
sem_t seats;

void *philosopher(void *argument) {
  const int self = (int)(long)argument;
  sem_wait(&seats);
  pthread_mutex_lock(&forks[self]);
  pthread_mutex_lock(&forks[(self + 1) % SEATS]);
  pthread_mutex_unlock(&forks[(self + 1) % SEATS]);
  pthread_mutex_unlock(&forks[self]);
  sem_post(&seats);
  return NULL;
}

int main(void) {
  pthread_t t0, t1, t2;
  for (int k = 0; k < SEATS; k++) pthread_mutex_init(&forks[k], NULL);
  sem_init(&seats, 0, SEATS);
  pthread_create(&t0, NULL, philosopher, (void *)0);
  pthread_create(&t1, NULL, philosopher, (void *)1);
  pthread_create(&t2, NULL, philosopher, (void *)2);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  pthread_join(t2, NULL);
  return 0;
}
