// The mean of two words without a carry that is lost.
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
  unsigned int x = __VERIFIER_nondet_uint();
  unsigned int y = __VERIFIER_nondet_uint();
  unsigned int mean = (x & y) + ((x ^ y) >> 1);
  unsigned long long exact = ((unsigned long long)x + y) / 2;
  __VERIFIER_assert(mean == exact);
  return 0;
}
