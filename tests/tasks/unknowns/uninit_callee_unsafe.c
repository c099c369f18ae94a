// A callee that gets the address does not always set it.
// Fails with: 0
// Uninitialised: zeros
#include <assert.h>
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { assert(0); }

static int get(int *to, int n) {
  if (n > 0) *to = n;
  return 1;
}
int main(void) {
  int x, n = __VERIFIER_nondet_int();
  if (get(&x, n) && x == 0) reach_error();
  return 0;
}
