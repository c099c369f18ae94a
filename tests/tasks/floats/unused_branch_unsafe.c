// Floating point on one way, an error on another: what is violated may be told.
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
  if (x == 3) {
    double d = x * 0.5;
    __VERIFIER_assert(d < 2.0);
  } else {
    __VERIFIER_assert(x != 8);
  }
  return 0;
}
