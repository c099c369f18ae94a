// A loop whose counter goes one way or the other ends with the counter at the limit.
#include <assert.h>
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int condition) {
  if (!condition) {
    reach_error();
    abort();
  }
}

int main(void) {
  int x = __VERIFIER_nondet_int();
  int y = __VERIFIER_nondet_int();
  if (x < 0 || x > 100 || y < 0 || y > 100) return 0;
  while (x < 100 && y < 100) {
    if (__VERIFIER_nondet_bool()) x = x + 1;
    else y = y + 1;
  }
  __VERIFIER_assert((x == 100 || y == 100) && x + y <= 200);
  return 0;
}
