// Two numbers of different kind change places.
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
  unsigned int x = 0, y = 1;
  while (__VERIFIER_nondet_bool()) {
    unsigned int t = x + 2;
    x = y;
    y = t;
    __VERIFIER_assert((x + y) % 2 == 1);
  }
  return 0;
}
