// A number put together from its bits by sums of powers.
// Fails with: 251
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
  unsigned char y = 0, power = 1, count = 0;
  while (count < (unsigned char)7) {
    if (x >> count & 1) y = (unsigned char)(y + power);
    power = (unsigned char)(power * 2);
    count = (unsigned char)(count + 1);
  }
  __VERIFIER_assert(x == y);
  return 0;
}
