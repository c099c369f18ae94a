// A loop leaves one element out.
// Fails with: 3
// Uninitialised: zeros
#include <assert.h>
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { assert(0); }

int main(void) {
  int a[8], n = __VERIFIER_nondet_int();
  if (n < 0 || n > 7) return 0;
  for (int i = 0; i < 8; i++)
    if (i != n) a[i] = i + 1;
  if (a[n] == 0 && n == 3) reach_error();
  return 0;
}
