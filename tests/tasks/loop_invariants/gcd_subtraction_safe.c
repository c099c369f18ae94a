// Subtracting the smaller from the larger ends with two equal numbers that are not zero.
#include <assert.h>
extern void abort(void);
extern unsigned int __VERIFIER_nondet_uint(void);
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int condition) {
  if (!condition) {
    reach_error();
    abort();
  }
}

int main(void) {
  unsigned int a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
  if (a == 0 || b == 0) return 0;
  while (a != b) {
    if (a > b) a = a - b;
    else b = b - a;
    __VERIFIER_assert(a != 0 && b != 0);
  }
  return 0;
}
