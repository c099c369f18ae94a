// A recursive mutex is locked twice by one thread.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t mutex;
int value;

static void inner(void) {
  pthread_mutex_lock(&mutex);
  value++;
  pthread_mutex_unlock(&mutex);
}

void *thread(void *unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  inner();
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  pthread_t t0, t1;
  pthread_mutexattr_t kind;
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&mutex, &kind);
  pthread_create(&t0, NULL, thread, NULL);
  pthread_create(&t1, NULL, thread, NULL);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  return 0;
}
