// If it is not lost again and again, it arrives.
// Formula: (F G (lost == 0)) -> (F (got == 1))
// Expected: holds
// Fairness: weak
#include <pthread.h>
#include <stdatomic.h>

extern _Bool __VERIFIER_nondet_bool(void);
_Atomic unsigned char sent, got, lost;

void *first(void *unused) {
  (void)unused;
  for (;;) {
    while (!(sent == 0)) {
    }
    sent = 1;
  }
  return NULL;
}

void *second(void *unused) {
  (void)unused;
  for (;;) {
    while (!(sent == 1)) {
    }
    if (__VERIFIER_nondet_bool()) {
      got = 1;
      got = 0;
    } else {
      lost = 1;
      lost = 0;
    }
    sent = 0;
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
