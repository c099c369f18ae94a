// Of two steps one counts.
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
  unsigned int n = __VERIFIER_nondet_uint(), halves = 0, i = 0;
  while (i < n) {
    if (i % 2 == 0) halves++;
    i++;
    
  }
  __VERIFIER_assert(halves == n / 2 + n % 2);
  return 0;
}
