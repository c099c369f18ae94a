// Two threads set a pair, two check that it was never half set the wrong way round.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int a, b;

void *set(void *unused) {
  (void)unused;
  a = 1;
  b = -1;
  return NULL;
}

void *set_too(void *unused) {
  (void)unused;
  a = 1;
  b = -1;
  return NULL;
}

void *check(void *unused) {
  (void)unused;
  const int second = b, first = a;
  assert((first == 0 && second == 0) || (first == 1 && second == -1) || (first == 1 && second == 0));
  return NULL;
}

int main(void) {
  pthread_t t0, t1, t2, t3;
  pthread_create(&t0, NULL, set, NULL);
  pthread_create(&t1, NULL, set_too, NULL);
  pthread_create(&t2, NULL, check, NULL);
  pthread_create(&t3, NULL, check, NULL);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  pthread_join(t2, NULL);
  pthread_join(t3, NULL);
  return 0;
}
