// An element of an array of variable length may be zero.
// Fails with: 4
// Uninitialised: zeros
#include <assert.h>
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { assert(0); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 2 || n > 6) return 0;
  int a[n];
  for (int i = 0; i + 1 < n; i++) a[i] = 1;
  if (a[n - 1] == 0) reach_error();
  return 0;
}
