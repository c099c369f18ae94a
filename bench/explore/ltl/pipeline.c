// A value goes through two stages.
// Formula: G (a == 1 -> F (b == 1)) && G (b == 1 -> F (d == 1))
// Expected: holds
// Fairness: weak
#include <pthread.h>
#include <stdatomic.h>

_Atomic unsigned char a, b, d;

void *first(void *unused) {
  (void)unused;
  a = 1;
  return NULL;
}

void *second(void *unused) {
  (void)unused;
  while (!(a == 1)) {
  }
  b = 1;
  return NULL;
}

void *third(void *unused) {
  (void)unused;
  while (!(b == 1)) {
  }
  d = 1;
  return NULL;
}

int main(void) {
  pthread_t t0, t1, t2;
  pthread_create(&t0, NULL, first, NULL);
  pthread_create(&t1, NULL, second, NULL);
  pthread_create(&t2, NULL, third, NULL);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  pthread_join(t2, NULL);
  return 0;
}
