// realloc() keeps the old content, and the new bytes have one value each.
#include <assert.h>
#include <stdlib.h>
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { assert(0); }

int main(void) {
  int *p = malloc(sizeof *p);
  if (p == 0) return 0;
  *p = 7;
  p = realloc(p, 3 * sizeof *p);
  if (p == 0) return 0;
  int x = p[2];
  if (p[0] != 7 || x != p[2]) reach_error();
  free(p);
  return 0;
}
