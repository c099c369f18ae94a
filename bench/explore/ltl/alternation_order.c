// The second comes after the first.
// Formula: (at == 0 || at == 1) U (at == 2)
// Expected: holds
// Fairness: weak
#include <pthread.h>
#include <stdatomic.h>

_Atomic unsigned char turn, at;

void *first(void *unused) {
  (void)unused;
  for (;;) {
    while (!(turn == 0)) {
    }
    at = 1;
    turn = 1;
  }
  return NULL;
}

void *second(void *unused) {
  (void)unused;
  for (;;) {
    while (!(turn == 1)) {
    }
    at = 2;
    turn = 0;
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
