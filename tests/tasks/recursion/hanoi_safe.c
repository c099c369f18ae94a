// The towers of Hanoi take one less than a power of two.
#include <assert.h>
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int condition) {
  if (!condition) {
    reach_error();
    abort();
  }
}

int moves(int n) {
  if (n == 1) return 1;
  return 2 * moves(n - 1) + 1;
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 15) return 0;
  __VERIFIER_assert(moves(n) + 1 == (1 << n));
  return 0;
}
