// The sum of the first numbers by its closed form.
// Fails with: 77
#include <assert.h>
extern void abort(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int condition) {
  if (!condition) {
    reach_error();
    abort();
  }
}

int main(void) {
  unsigned int n = __VERIFIER_nondet_ushort(), sum = 0, i = 1;
  while (i <= n) {
    sum += i;
    i++;
  }
  __VERIFIER_assert(2 * sum == n * (n + (n != 77)));
  return 0;
}
