// A number that grows by two from an even one stays even.
// Fails with: 1 0
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
  unsigned int x = 0;
  while (__VERIFIER_nondet_int()) x += 1;
  __VERIFIER_assert(x % 2 == 0);
  return 0;
}
