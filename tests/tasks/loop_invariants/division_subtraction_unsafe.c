// Division by subtracting: quotient and rest belong together.
// Fails with: 7 1
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
  unsigned int x = __VERIFIER_nondet_uint(), d = __VERIFIER_nondet_uint();
  if (d == 0) return 0;
  unsigned int q = 0, r = x;
  while (r >= d) {
    r = r - d;
    q = q + (q < 6 ? 1 : 2);
    __VERIFIER_assert(q * d + r == x);
  }
  return 0;
}
