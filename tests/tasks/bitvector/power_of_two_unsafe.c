// The test with one subtraction calls zero a power of two.
// Fails with: 0
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
  int found = (x & (x - 1)) == 0;
  unsigned int ones = 0;
  for (unsigned int rest = x; rest; rest >>= 1) ones += rest & 1;
  __VERIFIER_assert(found == (ones == 1));
  return 0;
}
