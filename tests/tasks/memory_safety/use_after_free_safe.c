// A value is read before its block is freed.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int *p = malloc(sizeof *p);
  if (!p) return 0;
  *p = __VERIFIER_nondet_int();
  int kept = *p;
  free(p);
  return kept > 5;
}
