// A branch on a pointer that nothing set.
#include <assert.h>
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { assert(0); }

int main(void) {
  int *p, *q = p;
  if (p != 0 && q == 0) reach_error();
  return 0;
}
