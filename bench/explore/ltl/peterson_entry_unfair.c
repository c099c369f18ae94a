// Who wants to enter does not, if it is not run.
// Formula: G (want0 == 1 -> F (in0 == 1))
// Expected: violated
#include <pthread.h>
#include <stdatomic.h>

_Atomic unsigned char want0, want1, turn, in0, in1;

void *first(void *unused) {
  (void)unused;
  for (;;) {
    want0 = 1;
    turn = 1;
    while (!(want1 == 0) && !(turn == 0)) {
    }
    in0 = 1;
    in0 = 0;
    want0 = 0;
  }
  return NULL;
}

void *second(void *unused) {
  (void)unused;
  for (;;) {
    want1 = 1;
    turn = 0;
    while (!(want0 == 0) && !(turn == 1)) {
    }
    in1 = 1;
    in1 = 0;
    want1 = 0;
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
