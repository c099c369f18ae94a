// A pointer that nothing set may be null.
// Fails with: no input
// Uninitialised: zeros
#include <assert.h>
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { assert(0); }

int main(void) {
  int *p;
  if (!p) reach_error();
  return 0;
}
