// The sum of a number of twos is the double, with a bound on the number.
// Fails with: 10
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

#define A 2
int main(void) {
  unsigned int n = __VERIFIER_nondet_uint(), sum = 0;
  if (n > 1000) return 0;
  for (unsigned int i = 1; i <= n; i++) {
    if (i < 10) sum = sum + A;
  }
  __VERIFIER_assert(sum == n * A || sum == 0);
  return 0;
}
