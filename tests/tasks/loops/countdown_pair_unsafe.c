// Two numbers that go down together reach zero together when they start together.
// Fails with: 0
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

int main(void) {
  int x = __VERIFIER_nondet_int(), y = x | 1;
  if (x < 0 || x > 5000) return 0;
  while (x != 0) {
    x = x - 1;
    y = y - 1;
  }
  __VERIFIER_assert(y == 0);
  return 0;
}
