// Even and odd, each by the other.
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

int is_odd(unsigned int n);
int is_even(unsigned int n) { return n == 0 ? 1 : is_odd(n - 1); }
int is_odd(unsigned int n) { return n == 0 ? 0 : is_even(n - 1); }

int main(void) {
  unsigned int n = __VERIFIER_nondet_uint();
  if (n > 12) return 0;
  __VERIFIER_assert(is_even(n) == (n % 2 == 0));
  return 0;
}
