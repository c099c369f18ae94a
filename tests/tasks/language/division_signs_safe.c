// Quotients go towards zero and remainders have the sign of the dividend.
#include <assert.h>
extern void abort(void);
extern short __VERIFIER_nondet_short(void);
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int condition) {
  if (!condition) {
    reach_error();
    abort();
  }
}

int main(void) {
  int x = __VERIFIER_nondet_short(), y = __VERIFIER_nondet_short();
  if (y == 0) return 0;
  int q = x / y, r = x % y;
  __VERIFIER_assert(q * y + r == x);
  if (r != 0) __VERIFIER_assert((r > 0) == (x > 0));
  return 0;
}
