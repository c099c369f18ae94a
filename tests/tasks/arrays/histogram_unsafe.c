// The counts of a stream of small numbers add up to its length.
// Fails with: 8*3
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
  unsigned char count[4] = {0, 0, 0, 0};
  unsigned char total = 0;
  while (total < 200) {
    unsigned char kind = __VERIFIER_nondet_uchar();
    if (kind >= 4) continue;
    count[kind]++;
    total++;
    __VERIFIER_assert(count[0] + count[1] + count[2] + (count[3] & 7) == total);
  }
  return 0;
}
