// An odd number that grows by even ones never becomes zero.
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
  unsigned int y = 1;
  while (1) {
    y = y + 2u * __VERIFIER_nondet_uint();
    __VERIFIER_assert(y != 0);
  }
  return 0;
}
