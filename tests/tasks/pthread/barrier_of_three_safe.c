// A barrier for as many threads as come.
#include <assert.h>
#include <pthread.h>

pthread_barrier_t barrier;

void *thread(void *unused) {
  (void)unused;
  pthread_barrier_wait(&barrier);
  return NULL;
}

int main(void) {
  pthread_t t0, t1;
  pthread_barrier_init(&barrier, NULL, 2);
  pthread_create(&t0, NULL, thread, NULL);
  pthread_create(&t1, NULL, thread, NULL);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  return 0;
}
