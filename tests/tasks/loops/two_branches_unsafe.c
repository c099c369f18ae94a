// A counter that stands still in one branch is never negative.
// Fails with: 1431655766 -2147483648 65536 1431655764
#include <assert.h>
extern void abort(void);
extern _Bool __VERIFIER_nondet_bool(void);
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int condition) {
  if (!condition) {
    reach_error();
    abort();
  }
}

int main(void) {
  int d1 = 1, d2 = 1, d3 = 1, x1 = 1;
  int c1 = __VERIFIER_nondet_bool(), c2 = __VERIFIER_nondet_bool();
  while (x1 > 0) {
    if (c1) x1 = x1 - d1;
    else if (c2) x1 = x1 - d2;
    else x1 = x1 - (d3 + c1 + 1);
    c1 = __VERIFIER_nondet_bool();
    c2 = __VERIFIER_nondet_bool();
  }
  __VERIFIER_assert(x1 == 0);
  return 0;
}
