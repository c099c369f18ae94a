// Memory that malloc() gave need not be zero.
// Fails with: no input
// Uninitialised: pattern
#include <assert.h>
#include <stdlib.h>
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { assert(0); }

int main(void) {
  int *p = malloc(4 * sizeof *p);
  if (p == 0) return 0;
  p[0] = 0;
  if (p[0] + p[3] != 0) reach_error();
  free(p);
  return 0;
}
