// The variable is read only where it was set.
#include <assert.h>
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { assert(0); }

int main(void) {
  int n = __VERIFIER_nondet_int(), x;
  if (n > 10) x = n;
  if (n > 20 && x <= 20) reach_error();
  return 0;
}
