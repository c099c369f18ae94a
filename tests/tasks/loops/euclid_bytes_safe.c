// Euclid's remainders end with a divisor of both.
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
  unsigned char a = __VERIFIER_nondet_uchar() & 15, b = __VERIFIER_nondet_uchar() & 15;
  if (a == 0 || b == 0) return 0;
  unsigned char x = a, y = b;
  while (y != 0) {
    unsigned char rest = x % y;
    x = y;
    y = rest;
  }
  __VERIFIER_assert(a % x == 0 && b % x == 0);
  return 0;
}
