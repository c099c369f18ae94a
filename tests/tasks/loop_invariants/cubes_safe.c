// Cubes by differences of differences.
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
  unsigned int a = __VERIFIER_nondet_uchar(), n = 0, x = 0, y = 1, z = 6;
  while (n <= a) {
    __VERIFIER_assert(z == 6 * n + 6);
    __VERIFIER_assert(y == 3 * n * n + 3 * n + 1);
    __VERIFIER_assert(x == n * n * n);
    n = n + 1;
    x = x + y;
    y = y + z;
    z = z + 6;
  }
  return 0;
}
