// Sums and differences of multiples of four stay away from a number that is none.
// Fails with: 1 4294967295 0
#include <assert.h>
extern void abort(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int condition) {
  if (!condition) {
    reach_error();
    abort();
  }
}

int main(void) {
  unsigned int x = 2, y = 8;
  while (__VERIFIER_nondet_bool()) {
    x = x + 4u * __VERIFIER_nondet_uint();
    y = y - 8u * __VERIFIER_nondet_uint();
    __VERIFIER_assert(x + y != 6);
  }
  return 0;
}
