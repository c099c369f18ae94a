// Bits of two bytes interleaved by masks and by a loop.
// Fails with: 43 218
#include <assert.h>
extern void abort(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int condition) {
  if (!condition) {
    reach_error();
    abort();
  }
}

int main(void) {
  unsigned char x = __VERIFIER_nondet_uchar();
  unsigned char y = __VERIFIER_nondet_uchar();
  unsigned int looped = 0;
  for (unsigned int bit = 0; bit < 8; bit++) {
    looped |= (x >> bit & 1u) << (2 * bit);
    looped |= (y >> bit & 1u) << (2 * bit + 1);
  }
  unsigned int wide_x = x, wide_y = y;
  wide_x = (wide_x | wide_x << 4) & 0x0f0fu;
  wide_x = (wide_x | wide_x << 2) & 0x3333u;
  wide_x = (wide_x | wide_x << 1) & 0x5555u;
  wide_y = (wide_y | wide_y << 4) & 0x0f0fu;
  wide_y = (wide_y | wide_y << 2) & 0x3333u;
  wide_y = (wide_y | wide_y << 1) & 0x1555u;
  __VERIFIER_assert((wide_x | wide_y << 1) == looped);
  return 0;
}
