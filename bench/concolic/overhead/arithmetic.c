// Registers alone: a generator of random numbers, divisions, and a branch that is hard to predict.
#include "overhead.h"

static unsigned step(unsigned x) {
  x ^= x << 13;
  x ^= x >> 17;
  return x ^ x << 5;
}

static unsigned seen;

static unsigned work(unsigned start, unsigned input) {
  unsigned x = start, sum = 0;
  seen = step(input);
  for (unsigned i = 0; i < 30000000; i++) {
    x = step(x);
    if (x % 7 == 3)
      sum += x / 3;
    else
      sum ^= i;
  }
  return sum;
}
