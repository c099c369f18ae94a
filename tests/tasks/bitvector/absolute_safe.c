// The absolute value by a mask is not negative, but for the least number.
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
  if (x == -2147483647 - 1) return 0;
  unsigned int mask = x < 0 ? 0xffffffffu : 0;
  int result = (int)(((unsigned int)x ^ mask) - mask);
  __VERIFIER_assert(result >= 0);
  return 0;
}
