// A comparison of an input divided as a double.
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
  int x = __VERIFIER_nondet_int();
  double half = x / 2.0;
  if (half > 10.25) __VERIFIER_assert(x > 20);
  return 0;
}
