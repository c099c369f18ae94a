// A loop with a flag is left when the flag says so.
// Fails with: -1
#include <assert.h>
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int condition) {
  if (!condition) {
    reach_error();
    abort();
  }
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  int i = 0, is_over = 0;
  while (!is_over) {
    if (i >= n) is_over = 1;
    else if (i == 50) is_over = 1;
    else i++;
  }
  __VERIFIER_assert(i <= 50 && (n < -10 || i <= n));
  return 0;
}
