// Nobody has to choose the other thing.
// Formula: G (x == 1 -> F (x == 2))
// Expected: violated
// Fairness: weak
#include <pthread.h>
#include <stdatomic.h>

extern _Bool __VERIFIER_nondet_bool(void);
_Atomic unsigned char x;

void *first(void *unused) {
  (void)unused;
  for (;;) {
    if (__VERIFIER_nondet_bool()) {
      x = 1;
    } else {
      x = 2;
    }
  }
  return NULL;
}

int main(void) {
  pthread_t t0;
  pthread_create(&t0, NULL, first, NULL);
  pthread_join(t0, NULL);
  return 0;
}
