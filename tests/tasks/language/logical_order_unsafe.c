// The right side of && is not evaluated behind a false left one.
// Fails with: 0 0
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

static int calls;
static int counted(int value) {
  calls++;
  return value;
}

int main(void) {
  int x = __VERIFIER_nondet_bool(), y = __VERIFIER_nondet_bool();
  int both = counted(x) & counted(y);
  __VERIFIER_assert(both == (x & y));
  __VERIFIER_assert(calls == (x ? 2 : 1));
  return 0;
}
