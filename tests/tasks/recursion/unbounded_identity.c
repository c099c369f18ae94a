// A recursion without a bound on its depth, whose assertion does not depend on it.
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

unsigned int id(unsigned int n) {
  if (n == 0) return 0;
  unsigned int below = id(n - 1);
  __VERIFIER_assert(n != 0);
  return below + 1;
}

int main(void) {
  unsigned int n = __VERIFIER_nondet_uint();
  if (n > 30) return 0;
  __VERIFIER_assert(id(n) == n);
  return 0;
}
