// A shift register with feedback never comes to zero from another state.
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
  unsigned char state = __VERIFIER_nondet_uchar();
  if (state == 0) return 0;
  while (1) {
    unsigned char bit = (unsigned char)((state >> 0 ^ state >> 2 ^ state >> 3 ^ state >> 4) & 1);
    state = (unsigned char)(state >> 1 | bit << 7);
    __VERIFIER_assert(state != 0);
  }
  return 0;
}
