// The digits of a number taken apart and put together.
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
  unsigned int n = __VERIFIER_nondet_uint(), rest = n, sum = 0, weight = 1;
  if (n > 99999) return 0;
  do {
    sum += rest % 10 * weight;
    weight *= 10;
    rest /= 10;
  } while (rest != 0);
  __VERIFIER_assert(sum == n);
  return 0;
}
