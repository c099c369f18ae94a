// One of two branches leaves the variable as it was created.
// Fails with: 5
// Uninitialised: zeros
#include <assert.h>
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { assert(0); }

int main(void) {
  int n = __VERIFIER_nondet_int(), x;
  if (n > 10) x = n;
  if (n == 5 && x == 0) reach_error();
  return 0;
}
