// A power by squaring in a recursion.
#include <assert.h>
extern void abort(void);
extern unsigned int __VERIFIER_nondet_uint(void);
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int condition) {
  if (!condition) {
    reach_error();
    abort();
  }
}

unsigned int power(unsigned int base, unsigned int exponent) {
  if (exponent == 0) return 1;
  unsigned int root = power(base, exponent / 2);
  return exponent % 2 ? root * root * base : root * root;
}

int main(void) {
  unsigned int exponent = __VERIFIER_nondet_uint();
  if (exponent > 15) return 0;
  unsigned int expected = 1;
  for (unsigned int i = 0; i < exponent; i++) expected *= 3;
  __VERIFIER_assert(power(3, exponent) == expected);
  return 0;
}
