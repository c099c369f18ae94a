// Peterson's algorithm with volatile variables, as it was often written before C11.
#include <assert.h>
#include <pthread.h>

volatile int flag0, flag1, turn;
volatile int inside;
extern void abort(void);
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int condition) {
  if (!condition) {
    reach_error();
    abort();
  }
}

void *first(void *unused) {
  flag0 = 1;
  turn = 1;
  while (flag1 && turn == 1) {
  }
  inside = 0;
  __VERIFIER_assert(inside <= 0);
  flag0 = 0;
  return NULL;
}

void *second(void *unused) {
  flag1 = 1;
  turn = 0;
  while (flag0 && turn == 0) {
  }
  inside = 1;
  __VERIFIER_assert(inside >= 1);
  flag1 = 0;
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
