// A flag turns with each step, and says whether the number is odd.
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
  unsigned int x = __VERIFIER_nondet_uint();
  int is_odd = x % 2 == 1;
  while (__VERIFIER_nondet_bool()) {
    x = x + 7;
    is_odd = !is_odd;
    __VERIFIER_assert(is_odd == (x % 2 == 1));
  }
  return 0;
}
