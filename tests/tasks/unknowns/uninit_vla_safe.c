// An array of variable length has one content until it is written.
#include <assert.h>
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { assert(0); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 2 || n > 6) return 0;
  int a[n];
  int x = a[1];
  a[0] = x;
  if (a[0] != a[1]) reach_error();
  return 0;
}
