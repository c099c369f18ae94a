// Cases of a switch that fall through.
// Fails with: -5
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
  int n = __VERIFIER_nondet_int() & 3, count = 0;
  switch (n) {
    case 3: count++; /* fall through */
    case 2: count++; break; /* fall through */
    case 1: count++; /* fall through */
    default: break;
  }
  __VERIFIER_assert(count == n);
  return 0;
}
