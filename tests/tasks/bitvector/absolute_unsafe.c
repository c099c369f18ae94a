// The absolute value by a mask is not negative, but for the least number.
// Fails with: -2147483648
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
  
  unsigned int mask = x < 0 ? 0xffffffffu : 0;
  int result = (int)(((unsigned int)x ^ mask) - mask);
  __VERIFIER_assert(result >= 0);
  return 0;
}
