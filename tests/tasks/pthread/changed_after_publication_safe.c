// What is published under a lock is changed under it, too.
#include <assert.h>
#include <pthread.h>

int value, is_there;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void *writer(void *unused) {
  (void)unused;
  value = 10;
  pthread_mutex_lock(&mutex);
  is_there = 1;
  value = 11;
  pthread_mutex_unlock(&mutex);
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
