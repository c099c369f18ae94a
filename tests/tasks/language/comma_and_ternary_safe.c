// Side effects in a comma and in a conditional expression.
#include <assert.h>
extern void abort(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int condition) {
  if (!condition) {
    reach_error();
    abort();
  }
}

int main(void) {
  int x = __VERIFIER_nondet_uchar(), y = (x++, x * 2), z = y > 100 ? x-- : x;
  __VERIFIER_assert(z >= 1 && x >= 1 && (y > 100 ? x + 1 == z : x == z));
  return 0;
}
