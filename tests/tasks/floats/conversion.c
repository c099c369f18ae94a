// A conversion to a float and back.
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
  if (x < 0 || x > 16777216) return 0;
  float f = (float)x;
  __VERIFIER_assert((int)f == x);
  return 0;
}
