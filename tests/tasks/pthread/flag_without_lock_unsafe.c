// The flag is set under the mutex of the condition, without it: between the look and the wait.
// Fails with: 4984085
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int is_set;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t set = PTHREAD_COND_INITIALIZER;

void *waiter(void *unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  while (!is_set) pthread_cond_wait(&set, &mutex);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

void *setter(void *unused) {
  (void)unused;
  is_set = 1;
  pthread_cond_signal(&set);
  return NULL;
}

int main(void) {
  pthread_t t0, t1;
  pthread_create(&t0, NULL, waiter, NULL);
  pthread_create(&t1, NULL, setter, NULL);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  return 0;
}
