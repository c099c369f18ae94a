// A counter of open calls is back at zero behind them.
#include <assert.h>
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int condition) {
  if (!condition) {
    reach_error();
    abort();
  }
}

static int open_calls, deepest;
void enter(int left) {
  open_calls++;
  if (open_calls > deepest) deepest = open_calls;
  if (left > 0) enter(left - 1);
  if (left > 3) return;
  open_calls--;
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 6) return 0;
  enter(n);
  __VERIFIER_assert(deepest == n + 1);
  __VERIFIER_assert(open_calls == (n > 3 ? n - 3 : 0));
  return 0;
}
