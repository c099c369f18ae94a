// A rotation to the left is undone by one to the right, for every count.
// Fails with: 43 218
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

unsigned int left(unsigned int x, unsigned int count) { return count == 0 ? x : x << count | x >> (32 - count); }
unsigned int right(unsigned int x, unsigned int count) { return count == 0 ? x : x >> count | x << (32 - count); }

int main(void) {
  unsigned int x = __VERIFIER_nondet_uint();
  unsigned int count = __VERIFIER_nondet_uint() & 31;
  __VERIFIER_assert(right(left(x, count), count & 15) == x);
  return 0;
}
