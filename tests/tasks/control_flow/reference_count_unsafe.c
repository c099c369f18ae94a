// An object is let go exactly when its last user leaves.
// Fails with: 1 1 1 1 1 1 1 1 1 1 1 1
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

static int count, is_freed;
static void get(void) {
  __VERIFIER_assert(!is_freed);
  count++;
}
static void put(void) {
  __VERIFIER_assert(!is_freed && count > 0);
  count--;
  if (count == 0) is_freed = 1;
}

int main(void) {
  count = 1;
  int users = 0;
  while (__VERIFIER_nondet_bool()) {
    if (users < 5 && __VERIFIER_nondet_bool()) {
      get();
      users++;
    } else if (users > 0) {
      put();
      users--;
      if (users == 4 && __VERIFIER_nondet_bool()) put();
    }
  }
  while (users > 0) {
    put();
    users--;
  }
  put();
  __VERIFIER_assert(is_freed);
  return 0;
}
