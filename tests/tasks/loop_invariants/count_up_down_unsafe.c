// What one counter loses the other gains.
// Fails with: 0
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
  unsigned int n = __VERIFIER_nondet_uint();
  unsigned int x = n, y = 0;
  while (x > 0) {
    x--;
    y++;
  }
  __VERIFIER_assert(y != n);
  return 0;
}
