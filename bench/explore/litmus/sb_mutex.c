// Store buffering under a mutex, whose unlock empties the buffer.
// Allowed: sc=no tso=no
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int r0, r1;

void *first(void *unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  pthread_mutex_unlock(&mutex);
  pthread_mutex_lock(&mutex);
  r0 = atomic_load_explicit(&y, memory_order_relaxed);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

void *second(void *unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  pthread_mutex_unlock(&mutex);
  pthread_mutex_lock(&mutex);
  r1 = atomic_load_explicit(&x, memory_order_relaxed);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  pthread_t t0, t1;
  pthread_create(&t0, NULL, first, NULL);
  pthread_create(&t1, NULL, second, NULL);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  assert(!(r0 == 0 && r1 == 0));
  return 0;
}
