// A walk of single steps that turns round at its ends stays between them.
#include <assert.h>
extern void abort(void);
extern _Bool __VERIFIER_nondet_bool(void);
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int condition) {
  if (!condition) {
    reach_error();
    abort();
  }
}

int main(void) {
  int x = 0, step = 1;
  while (__VERIFIER_nondet_bool()) {
    if (x == 100) step = -1;
    if (x == -100) step = 1;
    if (__VERIFIER_nondet_bool()) x += step;
    __VERIFIER_assert(x >= -100 && x <= 100);
  }
  return 0;
}
