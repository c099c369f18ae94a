// A variable that nothing set may be zero.
// Fails with: no input
// Uninitialised: zeros
#include <assert.h>
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { assert(0); }

int main(void) {
  int x;
  if (x == 0) reach_error();
  return 0;
}
