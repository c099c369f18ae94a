// The number of ones by adding neighbours is the number by looking at each bit.
// Fails with: 65531
#include <assert.h>
extern void abort(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int condition) {
  if (!condition) {
    reach_error();
    abort();
  }
}

int main(void) {
  unsigned short given = __VERIFIER_nondet_ushort();
  unsigned int x = given;
  x = x - ((x >> 1) & 0x5555u);
  x = (x & 0x3333u) + ((x >> 2) & 0x3333u);
  x = (x + (x >> 4)) & 0x0707u;
  x = (x + (x >> 8)) & 0x1fu;
  unsigned int ones = 0;
  for (int bit = 0; bit < 16; bit++)
    if (given >> bit & 1) ones++;
  __VERIFIER_assert(x == ones);
  return 0;
}
