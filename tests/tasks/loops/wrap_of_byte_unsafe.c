// A byte counts round; its distance to the start is the number of steps.
// Fails with: 254 1 1 0
#include <assert.h>
extern void abort(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int condition) {
  if (!condition) {
    reach_error();
    abort();
  }
}

int main(void) {
  unsigned char start = __VERIFIER_nondet_uchar(), now = start, steps = 0;
  while (__VERIFIER_nondet_bool()) {
    now++;
    steps++;
    if (now == 0) steps = 1;
  }
  __VERIFIER_assert((unsigned char)(now - start) == steps);
  return 0;
}
