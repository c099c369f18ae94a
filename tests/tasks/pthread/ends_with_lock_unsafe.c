// A thread that finds nothing to do gives its lock back, or ends with it.
// Fails with: 3107614 7
#include <assert.h>
#include <pthread.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

unsigned char work;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  if (work == 7) {
    return NULL;
  }
  work++;
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  pthread_t t0, t1;
  work = __VERIFIER_nondet_uchar();
  pthread_create(&t0, NULL, worker, NULL);
  pthread_create(&t1, NULL, worker, NULL);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  return 0;
}
