// An assumption in a loop keeps what it assumes.
#include <assert.h>
extern void abort(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int condition);
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int condition) {
  if (!condition) {
    reach_error();
    abort();
  }
}

int main(void) {
  unsigned int low = 0, high = 100;
  while (low < high) {
    unsigned int middle = __VERIFIER_nondet_uint();
    __VERIFIER_assume(low < middle && middle <= high);
    if (__VERIFIER_nondet_bool()) low = middle;
    else high = middle - 1;
    __VERIFIER_assert(low <= high && high <= 100);
  }
  return 0;
}
