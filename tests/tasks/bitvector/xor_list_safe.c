// An exclusive sum of a stream in which each value comes twice is zero in between.
#include <assert.h>
extern void abort(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int condition) {
  if (!condition) {
    reach_error();
    abort();
  }
}

int main(void) {
  unsigned int sum = 0;
  while (__VERIFIER_nondet_bool()) {
    unsigned int value = __VERIFIER_nondet_uint();
    sum ^= value;
    if (__VERIFIER_nondet_bool()) sum ^= 0x0f0f0f0fu & value;
    else sum ^= value & 0x0f0f0f0fu;
    sum ^= value & 0xf0f0f0f0u;
    sum &= 0x0f0f0f0fu;
    __VERIFIER_assert(sum == 0);
  }
  return 0;
}
