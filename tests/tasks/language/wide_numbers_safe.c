// Products of 32-bit numbers in 64 bits.
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

int main(void) {
  unsigned int a = __VERIFIER_nondet_uint();
  unsigned long long wide = (unsigned long long)a * 3;
  __VERIFIER_assert(wide / 3 == a);
  return 0;
}
