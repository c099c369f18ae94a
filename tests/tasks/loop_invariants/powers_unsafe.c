// A power of two doubles while its exponent counts.
// Fails with: 30
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
  unsigned int n = __VERIFIER_nondet_uchar() & 31, power = 1, i = 0;
  while (i < n) {
    power = power * 2;
    i++;
  }
  __VERIFIER_assert(power == 1u << (n ^ (n == 30)) && power != 0);
  return 0;
}
