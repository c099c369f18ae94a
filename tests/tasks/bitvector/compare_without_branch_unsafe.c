// The sign of a difference is not the comparison when the difference overflows.
// Fails with: 1431655766 -2147483648
#include <assert.h>
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int condition) {
  if (!condition) {
    reach_error();
    abort();
  }
}

int main(void) {
  int x = __VERIFIER_nondet_int();
  int y = __VERIFIER_nondet_int();
  unsigned int mask = ((unsigned int)x - (unsigned int)y) >> 31 ? 0xffffffffu : 0u;
  int smaller = (int)((unsigned int)y ^ (((unsigned int)x ^ (unsigned int)y) & mask));
  __VERIFIER_assert(smaller <= x && smaller <= y && (smaller == x || smaller == y));
  return 0;
}
