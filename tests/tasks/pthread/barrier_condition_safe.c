// A barrier of a mutex and a condition, with a generation.
#include <assert.h>
#include <pthread.h>

enum { THREADS = 2 };
int arrived, generation, written[THREADS];
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t passed = PTHREAD_COND_INITIALIZER;

static void barrier(void) {
  pthread_mutex_lock(&mutex);
  const int mine = generation;
  if (++arrived == THREADS) {
    generation++;
    pthread_cond_broadcast(&passed);
  } else {
    while (generation == mine) pthread_cond_wait(&passed, &mutex);
  }
  pthread_mutex_unlock(&mutex);
}

void *thread(void *argument) {
  const long self = (long)argument;
  written[self] = 1;
  barrier();
  assert(written[1 - self] == 1);
  return NULL;
}

int main(void) {
  pthread_t t0, t1;
  pthread_create(&t0, NULL, thread, (void *)0);
  pthread_create(&t1, NULL, thread, (void *)1);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  return 0;
}
