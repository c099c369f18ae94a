// Memory that calloc() gave is zero.
#include <assert.h>
#include <stdlib.h>
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { assert(0); }

int main(void) {
  int *p = calloc(4, sizeof *p), n = __VERIFIER_nondet_int();
  if (p == 0 || n < 0 || n > 3) return 0;
  if (p[n] != 0) reach_error();
  free(p);
  return 0;
}
