// The difference of two numbers moved from one to the other.
// Fails with: 9 0
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
  if (a < b) return 0;
  unsigned int x = a, d = 0;
  while (x != b) {
    x = x - 1;
    d = d + 1;
    if (d == 9) d = 8;
  }
  __VERIFIER_assert(d == a - b);
  return 0;
}
