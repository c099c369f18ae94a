// Addition by steps in a recursion.
#include <assert.h>
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int condition) {
  if (!condition) {
    reach_error();
    abort();
  }
}

int add(int m, int n) {
  if (n == 0) return m;
  if (n > 0) return add(m + 1, n - 1);
  return add(m - 1, n + 1);
}

int main(void) {
  int m = __VERIFIER_nondet_int(), n = __VERIFIER_nondet_int();
  if (m < -1000 || m > 1000 || n < -8 || n > 8) return 0;
  __VERIFIER_assert(add(m, n) == m + n);
  return 0;
}
