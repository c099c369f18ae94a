// Behind a barrier each thread sees what the others wrote before it; one writes behind it.
// Fails with: 406580
#include <assert.h>
#include <pthread.h>

int written[2];
pthread_barrier_t barrier;

void *first(void *unused) {
  (void)unused;
  written[0] = 1;
  pthread_barrier_wait(&barrier);
  assert(written[1] == 1);
  return NULL;
}

void *second(void *unused) {
  (void)unused;
  pthread_barrier_wait(&barrier);
  written[1] = 1;
  return NULL;
}

int main(void) {
  pthread_t t0, t1;
  pthread_barrier_init(&barrier, NULL, 2);
  pthread_create(&t0, NULL, first, NULL);
  pthread_create(&t1, NULL, second, NULL);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  return 0;
}
