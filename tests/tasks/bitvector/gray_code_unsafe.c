// Neighbours in the Gray code differ in one bit, at the turn too.
// Fails with: 251
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
  unsigned char n = __VERIFIER_nondet_uchar();
  unsigned char here = (unsigned char)(n ^ n >> 1);
  unsigned char following = (unsigned char)(n + 1);
  unsigned char there = (unsigned char)(following ^ (following >> 1 & 0x7b));
  unsigned char change = here ^ there;
  __VERIFIER_assert(change != 0 && (change & (change - 1)) == 0);
  return 0;
}
