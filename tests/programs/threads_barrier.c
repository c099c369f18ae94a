// purpose: threads that meet at a barrier several times, and values of their own under keys
#include <pthread.h>
#include <stdio.h>

enum { Threads = 4, Rounds = 3 };

static pthread_barrier_t barrier;
static pthread_key_t key;
static int sums[Rounds][Threads];
static int serial[Rounds];

static void* work(void* argument) {
  long id = (long)argument;
  int own = 0;
  pthread_setspecific(key, &own);
  for (int round = 0; round < Rounds; ++round) {
    sums[round][id] = round == 0 ? (int)id + 1 : sums[round - 1][(id + 1) % Threads] * 2;
    int result = pthread_barrier_wait(&barrier);
    if (result == PTHREAD_BARRIER_SERIAL_THREAD) ++serial[round];
    *(int*)pthread_getspecific(key) += sums[round][(id + 2) % Threads];
  }
  return (void*)(long)own;
}

int main(void) {
  pthread_t threads[Threads];
  pthread_key_create(&key, NULL);
  pthread_barrier_init(&barrier, NULL, Threads);
  for (long i = 0; i < Threads; ++i) pthread_create(&threads[i], NULL, work, (void*)i);
  for (int i = 0; i < Threads; ++i) {
    void* own;
    pthread_join(threads[i], &own);
    printf("%ld ", (long)own);
  }
  pthread_barrier_destroy(&barrier);
  printf("%d %d %d %d\n", serial[0], serial[1], serial[2], pthread_getspecific(key) == NULL);
  return 0;
}
