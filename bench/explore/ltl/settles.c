// What is done stays done.
// Formula: F G (done == 1)
// Expected: holds
#include <pthread.h>
#include <stdatomic.h>

extern _Bool __VERIFIER_nondet_bool(void);
_Atomic unsigned char done, work;

void *first(void *unused) {
  (void)unused;
  if (__VERIFIER_nondet_bool()) {
    work = 1;
  } else {
    work = 2;
  }
  done = 1;
  return NULL;
}

void *second(void *unused) {
  (void)unused;
  work = 3;
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
