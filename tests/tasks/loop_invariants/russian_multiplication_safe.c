// A product by halving and doubling.
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
  unsigned char a = __VERIFIER_nondet_uchar(), b = __VERIFIER_nondet_uchar();
  unsigned int x = a, y = b, product = 0;
  while (x > 0) {
    if (x & 1) product += y;
    x >>= 1;
    y <<= 1;
  }
  __VERIFIER_assert(product == (unsigned int)a * b);
  return 0;
}
