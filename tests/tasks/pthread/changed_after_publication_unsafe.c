// What is published under a lock is changed afterwards without it.
// Fails with: 5084702
#include <assert.h>
#include <pthread.h>

int value, is_there;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void *writer(void *unused) {
  (void)unused;
  value = 10;
  pthread_mutex_lock(&mutex);
  is_there = 1;
  pthread_mutex_unlock(&mutex);
  value = 11;
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, writer, NULL);
  pthread_mutex_lock(&mutex);
  const int seen = is_there ? value : 0;
  pthread_mutex_unlock(&mutex);
  assert(seen != 10);
  pthread_join(t, NULL);
  return 0;
}
