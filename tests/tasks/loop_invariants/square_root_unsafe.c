// The integer root by adding odd numbers.
// Fails with: 120
#include <assert.h>
extern void abort(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int condition) {
  if (!condition) {
    reach_error();
    abort();
  }
}

int main(void) {
  unsigned int n = __VERIFIER_nondet_ushort();
  unsigned int root = 0, odd = 1, square = 1;
  while (square <= n) {
    root++;
    odd += 2;
    square += odd;
  }
  __VERIFIER_assert(root * root <= n && (root + 1) * (root + 1) > n + (n == 120));
  return 0;
}
