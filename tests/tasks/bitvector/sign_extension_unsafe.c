// A number of 12 bits extended by a shift there and back and by a subtraction.
// Fails with: 1
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
  unsigned int x = __VERIFIER_nondet_uint() & 0xfffu;
  int by_xor = (int)(x ^ 0x800u) - 0x400;
  int by_branch = x >= 2048u ? (int)x - 4096 : (int)x;
  __VERIFIER_assert(by_xor == by_branch);
  return 0;
}
