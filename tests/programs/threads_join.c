// purpose: threads that are created and joined, with arguments, results, a mutex and thread-local storage
// flags: -pthread
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 4, ROUNDS = 100 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long shared;
static _Thread_local int mine = 10;
static int seen[THREADS];

static void *work(void *argument) {
  long number = (long)argument;
  for (int i = 0; i < ROUNDS; ++i) {
    pthread_mutex_lock(&lock);
    shared += number;
    pthread_mutex_unlock(&lock);
    mine += (int)number;
  }
  seen[number] = mine;
  if (number == 2) pthread_exit((void *)-2L);
  return (void *)(number * number);
}

int main(void) {
  pthread_t threads[THREADS];
  for (long i = 0; i < THREADS; ++i) {
    if (pthread_create(&threads[i], NULL, work, (void *)i) != 0) return 1;
  }
  long total = 0;
  for (int i = 0; i < THREADS; ++i) {
    void *result;
    if (pthread_join(threads[i], &result) != 0) return 2;
    printf("%ld ", (long)result);
    total += (long)result;
  }
  printf("\n%ld %ld\n", shared, total);
  for (int i = 0; i < THREADS; ++i) printf("%d ", seen[i]);
  printf("%d %d\n", mine, pthread_equal(pthread_self(), pthread_self()) != 0);
  return (int)total;
}
