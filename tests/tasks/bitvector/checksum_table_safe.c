// A checksum by a table of half bytes is the one by single bits.
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

static const unsigned char table[16] = {0x00, 0x07, 0x0e, 0x09, 0x1c, 0x1b, 0x12, 0x15, 0x38, 0x3f, 0x36, 0x31, 0x24, 0x23, 0x2a, 0x2d};

int main(void) {
  unsigned char data = __VERIFIER_nondet_uchar();
  unsigned char slow = data;
  for (int step = 0; step < 8; step++) slow = (unsigned char)(slow & 0x80 ? slow << 1 ^ 0x07 : slow << 1);
  unsigned char fast = data;
  fast = (unsigned char)(fast << 4 ^ table[fast >> 4]);
  fast = (unsigned char)(fast << 4 ^ table[fast >> 4]);
  __VERIFIER_assert(slow == fast);
  return 0;
}
