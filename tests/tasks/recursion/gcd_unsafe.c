// The greatest common divisor by recursion divides both.
// Fails with: 7 0
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

unsigned char gcd(unsigned char a, unsigned char b) {
  if (b == 0) return a;
  return gcd(b, a % b);
}

int main(void) {
  unsigned char a = __VERIFIER_nondet_uchar() & 15, b = __VERIFIER_nondet_uchar() & 15;
  if (a == 0) return 0;
  unsigned char d = gcd(a, b);
  __VERIFIER_assert(d != 0 && a % d == 0 && (b % d == 0 && d != 7));
  return 0;
}
