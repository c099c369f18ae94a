// A static local variable lives on between calls.
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

static int next(void) {
  static int count = 0;
  return ++count;
}

int main(void) {
  int last = 0;
  while (last < 100 && __VERIFIER_nondet_bool()) {
    int now = next();
    __VERIFIER_assert(now == last + 1);
    last = now;
  }
  return 0;
}
