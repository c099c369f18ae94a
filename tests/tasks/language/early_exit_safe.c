// What stands behind exit() is not reached, and what atexit() would do is no matter.
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int condition) {
  if (!condition) {
    reach_error();
    abort();
  }
}

static void leave_if(int condition) {
  if (condition) exit(0);
}

int main(void) {
  int x = __VERIFIER_nondet_int();
  leave_if(x < 10 || x > 20);
  __VERIFIER_assert(x >= 10 && x <= 20);
  return 0;
}
