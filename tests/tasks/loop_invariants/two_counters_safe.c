// Two counters that go in the same steps are equal at the end.
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
  unsigned int i = 0, j = 0, n = __VERIFIER_nondet_uint();
  while (i < n) {
    i++;
    j++;
    
  }
  __VERIFIER_assert(i == j);
  return 0;
}
