// Small starts all come down to one within the steps that they are given.
#include <assert.h>
extern void abort(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int condition) {
  if (!condition) {
    reach_error();
    abort();
  }
}

int main(void) {
  unsigned int n = __VERIFIER_nondet_uchar() & 15, steps = 0;
  if (n == 0) return 0;
  while (n != 1 && steps < 40) {
    n = n % 2 == 0 ? n / 2 : 3 * n + 1;
    steps++;
  }
  __VERIFIER_assert(steps <= 19);
  return 0;
}
