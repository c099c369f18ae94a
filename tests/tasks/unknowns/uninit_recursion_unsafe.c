// The innermost call does not set its variable.
// Fails with: 2
// Uninitialised: zeros
#include <assert.h>
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { assert(0); }

static int value(int depth) {
  int x;
  if (depth > 0) x = 1 + value(depth - 1);
  return x;
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 3) return 0;
  if (value(n) == 2) reach_error();
  return 0;
}
