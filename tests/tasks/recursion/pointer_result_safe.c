// A recursion that gives back through a pointer.
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

void count_down(unsigned int n, unsigned int *steps) {
  unsigned int here = 0;
  if (n > 0) {
    count_down(n - 1, &here);
    here++;
  }
  *steps = here;
}

int main(void) {
  unsigned int n = __VERIFIER_nondet_uint(), steps = 77;
  if (n > 10) return 0;
  count_down(n, &steps);
  __VERIFIER_assert(steps == n);
  return 0;
}
