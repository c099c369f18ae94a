// A product by adding, with the rest in the counter.
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
  unsigned char a = __VERIFIER_nondet_uchar() & 31, b = __VERIFIER_nondet_uchar() & 31;
  unsigned int product = 0, left = b;
  while (left > 0) {
    product += a;
    left--;
  }
  __VERIFIER_assert(product == (unsigned int)a * b);
  return 0;
}
