// While it is looked for, a common divisor of small numbers divides what is left.
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
  unsigned char x = __VERIFIER_nondet_uchar() & 31, y = __VERIFIER_nondet_uchar() & 31;
  if (x == 0 || y == 0) return 0;
  unsigned char a = (unsigned char)(3 * x), b = (unsigned char)(3 * y);
  while (a != b) {
    if (a > b) a = (unsigned char)(a - b);
    else b = (unsigned char)(b - a);
  }
  __VERIFIER_assert(a % 3 == 0);
  return 0;
}
