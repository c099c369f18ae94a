// A copy of a variable that nothing set equals it.
#include <assert.h>
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { assert(0); }

int main(void) {
  int x;
  int y = x;
  if (y != x) reach_error();
  return 0;
}
