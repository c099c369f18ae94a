// Both threads take the same lock, but one takes another one for the same variable.
// Fails with: 11027915
#include <assert.h>
#include <pthread.h>

int shared;
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

void *first(void *unused) {
  (void)unused;
  pthread_mutex_lock(&a);
  const int before = shared;
  shared = before + 1;
  assert(shared == before + 1);
  pthread_mutex_unlock(&a);
  return NULL;
}

void *second(void *unused) {
  (void)unused;
  pthread_mutex_lock(&b);
  shared++;
  pthread_mutex_unlock(&b);
  return NULL;
}

int main(void) {
  pthread_t t0, t1;
  pthread_create(&t0, NULL, first, NULL);
  pthread_create(&t1, NULL, second, NULL);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  return 0;
}
