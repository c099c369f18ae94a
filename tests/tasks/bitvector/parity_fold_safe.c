// Parity of a word by folding is the parity by counting its ones.
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

int main(void) {
  unsigned int word = __VERIFIER_nondet_uint();
  unsigned int folded = word;
  folded ^= folded >> 16;
  folded ^= folded >> 8;
  folded ^= folded >> 4;
  folded ^= folded >> 2;
  folded ^= folded >> 1;
  unsigned int counted = 0, rest = word;
  while (rest != 0) {
    counted ^= 1;
    rest &= rest - 1;
  }
  __VERIFIER_assert((folded & 1) == counted);
  return 0;
}
