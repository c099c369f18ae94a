// Swapping the bytes of a word twice gives the word.
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

unsigned int swapped(unsigned int x) { return x << 24 | (x & 0xff00u) << 8 | (x >> 8 & 0xff00u) | x >> 24; }

int main(void) {
  unsigned int x = __VERIFIER_nondet_uint();
  __VERIFIER_assert(swapped(swapped(x)) == x);
  return 0;
}
