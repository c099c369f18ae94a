// An inner loop that goes through as many as the outer one has left.
// Fails with: 11
#include <assert.h>
extern void abort(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int condition) {
  if (!condition) {
    reach_error();
    abort();
  }
}

int main(void) {
  unsigned int n = __VERIFIER_nondet_uchar(), total = 0;
  for (unsigned int i = 0; i < n; i++) {
    unsigned int j = i;
    while (j < n) j++;
    __VERIFIER_assert(j == n);
    total += j - (i == 10 ? 0 : n);
  }
  __VERIFIER_assert(total == 0);
  return 0;
}
