// The smaller of two numbers by a mask from their comparison or from their difference.
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
  unsigned int mask = x < y ? 0xffffffffu : 0u;
  int smaller = (int)((unsigned int)y ^ (((unsigned int)x ^ (unsigned int)y) & mask));
  __VERIFIER_assert(smaller <= x && smaller <= y && (smaller == x || smaller == y));
  return 0;
}
