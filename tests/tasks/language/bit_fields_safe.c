// Bit-fields hold what fits and do not touch each other.
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

struct flags {
  unsigned int low : 3;
  signed int middle : 5;
  unsigned int high : 4;
};

int main(void) {
  struct flags f = {0, 0, 0};
  unsigned int given = __VERIFIER_nondet_uint();
  f.high = given & 15;
  f.low = 7;
  f.middle = -1;
  __VERIFIER_assert(f.low == 7 && f.middle == -1 && f.high == (given & 15));
  return 0;
}
