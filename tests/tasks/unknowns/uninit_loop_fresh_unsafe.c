// Each iteration creates the variable anew: it has not the value of the one before.
// Fails with: no input
// Uninitialised: pattern
#include <assert.h>
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { assert(0); }

int main(void) {
  for (int i = 0; i < 2; i++) {
    int x;
    if (i == 0) x = 0;
    if (x != 0) reach_error();
  }
  return 0;
}
