// A mutex that checks errors says so if it is given back by another thread.
#include <assert.h>
#include <pthread.h>
#include <errno.h>

pthread_mutex_t mutex;

void *thread(void *unused) {
  (void)unused;
  assert(pthread_mutex_unlock(&mutex) == EPERM);
  return NULL;
}

int main(void) {
  pthread_mutexattr_t kind;
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&mutex, &kind);
  pthread_t t;
  pthread_mutex_lock(&mutex);
  assert(pthread_mutex_lock(&mutex) == EDEADLK);
  pthread_create(&t, NULL, thread, NULL);
  pthread_join(t, NULL);
  pthread_mutex_unlock(&mutex);
  return 0;
}
