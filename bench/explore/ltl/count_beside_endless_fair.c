// The same, and all are run.
// Formula: F (x == 2)
// Expected: holds
// Fairness: weak
#include <pthread.h>
#include <stdatomic.h>

_Atomic unsigned char x, y;

void *first(void *unused) {
  (void)unused;
  for (int k0 = 0; k0 < 2; k0++) {
    x++;
  }
  return NULL;
}

void *second(void *unused) {
  (void)unused;
  for (;;) {
    y = 1;
    y = 0;
  }
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
