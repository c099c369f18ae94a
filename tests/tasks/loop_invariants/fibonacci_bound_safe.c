// Neighbours of Fibonacci's row are ordered while nothing is lost.
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
  unsigned int n = __VERIFIER_nondet_uint(), a = 0, b = 1, i = 0;
  while (i < n && i < 40) {
    unsigned int next = a + b;
    a = b;
    b = next;
    i++;
    __VERIFIER_assert(a <= b);
    __VERIFIER_assert(i != 24 || a == 46368);
  }
  return 0;
}
