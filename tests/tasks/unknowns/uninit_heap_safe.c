// Memory that malloc() gave has one content until it is written.
#include <assert.h>
#include <stdlib.h>
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { assert(0); }

int main(void) {
  int *p = malloc(2 * sizeof *p);
  if (p == 0) return 0;
  int x = p[1];
  p[0] = x;
  if (p[0] != p[1]) reach_error();
  free(p);
  return 0;
}
