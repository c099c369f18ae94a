// Each iteration creates the array anew.
// Fails with: no input
// Uninitialised: pattern
#include <assert.h>
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { assert(0); }

int main(void) {
  for (int i = 0; i < 3; i++) {
    int a[2];
    if (i < 2) a[0] = 1;
    if (a[0] != 1) reach_error();
  }
  return 0;
}
