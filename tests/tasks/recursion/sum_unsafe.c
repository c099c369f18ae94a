// A sum by recursion has the closed form.
// Fails with: 20
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

unsigned int sum(unsigned int n) {
  if (n == 0) return 0;
  return n + sum(n - 1);
}

int main(void) {
  unsigned int n = __VERIFIER_nondet_uint();
  if (n > 20) return 0;
  __VERIFIER_assert(sum(n) == n * (n + 1) / 2 + (n == 20));
  return 0;
}
