// A lock that is released when a request was handled, in a loop that tries again while the count changed.
// Fails with: 4*1
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
  int is_locked = 0;
  unsigned int old_count = 0, count = 0;
  do {
    __VERIFIER_assert(is_locked == 0);
    is_locked = 1;
    old_count = count;
    if (__VERIFIER_nondet_bool()) {
      __VERIFIER_assert(is_locked == 1);
      is_locked = 0;
      count = count + (count < 3);
    }
  } while (count != old_count);
  __VERIFIER_assert(is_locked == 1);
  return 0;
}
