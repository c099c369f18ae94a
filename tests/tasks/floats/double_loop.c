// A loop over a double.
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
  double x = 0.0;
  while (x < 1.0) x += 0.1 * (1 + (__VERIFIER_nondet_int() & 1));
  __VERIFIER_assert(x < 1.3);
  return 0;
}
