// Functions called in a loop, directly, from table and several deep, one of them with a loop of its own.
#include "overhead.h"

static unsigned state;

static unsigned rotate(unsigned x, unsigned by) { return x << by | x >> (32 - by); }

static unsigned absorb(unsigned x) {
  state = rotate(state ^ x, 7) * 5;
  return state;
}

static unsigned count_bits(unsigned x) {
  unsigned bits = 0;
  for (; x != 0; x &= x - 1) bits++;
  return bits;
}

static unsigned fold(unsigned x) {
  unsigned result = absorb(x);
  if (result & 1) result ^= absorb(result >> 3);
  return result + count_bits(x & 0xff);
}

static unsigned (*const kActions[])(unsigned) = {absorb, count_bits, fold, absorb};

static unsigned work(unsigned start, unsigned input) {
  unsigned sum = 0;
  state = start;
#ifdef SHARED
  fold(input);
  state = start;
#else
  (void)input;
#endif
  for (unsigned i = 0; i < 5000000; i++) {
    sum += fold(i);
    sum ^= kActions[i & 3](i);
  }
  return sum + state;
}
