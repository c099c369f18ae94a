// The sum of the first odd numbers is a square.
// Fails with: 40
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
  unsigned int n = __VERIFIER_nondet_uchar(), sum = 0;
  if (n > 40) return 0;
  for (unsigned int i = 0; i < n; i++) sum += 2 * i + (i < 39);
  __VERIFIER_assert(sum == n * n);
  return 0;
}
