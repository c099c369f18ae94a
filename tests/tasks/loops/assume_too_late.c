// An assumption behind an assertion does not help it.
// Fails with: 0 0 10
#include <assert.h>
extern void abort(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int condition);
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int condition) {
  if (!condition) {
    reach_error();
    abort();
  }
}

int main(void) {
  unsigned int x = __VERIFIER_nondet_uint();
  for (int i = 0; i < 3; i++) {
    __VERIFIER_assert(x < 10 || i == 0);
    x = __VERIFIER_nondet_uint();
    __VERIFIER_assume(i == 1 || x < 10);
  }
  return 0;
}
