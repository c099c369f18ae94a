// McCarthy's function is 91 up to 101.
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

int f(int x) {
  if (x > 100) return x - 10;
  return f(f(x + 11));
}

int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x < 90 || x > 110) return 0;
  int result = f(x);
  __VERIFIER_assert(result == 91 || (x > 101 && result == x - 10));
  return 0;
}
