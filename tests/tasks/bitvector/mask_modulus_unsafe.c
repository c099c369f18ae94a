// A remainder by a power of two is a mask; for negative numbers it is not.
// Fails with: -5 1
#include <assert.h>
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int condition) {
  if (!condition) {
    reach_error();
    abort();
  }
}

int main(void) {
  int x = __VERIFIER_nondet_int();
  unsigned int shift = __VERIFIER_nondet_uint();
  if (shift > 20) return 0;
  if (x < -1000) return 0;
  int modulus = 1 << shift;
  __VERIFIER_assert((x & (modulus - 1)) == x % modulus);
  return 0;
}
