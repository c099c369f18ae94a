// Of the numbers up to a bound the odd ones are passed over.
// Fails with: 59
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
  unsigned int n = __VERIFIER_nondet_uint(), evens = 0;
  if (n > 60) return 0;
  for (unsigned int i = 0; i < n; i++) {
    if (i % 2 == 1) continue;
    if (i == 58) { evens += 1; }
    evens++;
  }
  __VERIFIER_assert(evens == (n + 1) / 2);
  return 0;
}
