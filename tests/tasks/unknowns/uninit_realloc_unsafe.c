// The bytes that realloc() adds may be zero.
// Fails with: no input
// Uninitialised: zeros
#include <assert.h>
#include <stdlib.h>
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { assert(0); }

int main(void) {
  int *p = malloc(sizeof *p);
  if (p == 0) return 0;
  *p = 7;
  p = realloc(p, 4 * sizeof *p);
  if (p == 0) return 0;
  if (p[0] == 7 && p[3] == 0) reach_error();
  free(p);
  return 0;
}
