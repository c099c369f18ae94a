// Memory and registers in turn: a hash over a table that it changes, with a branch that is hard to predict.
#include "overhead.h"

enum { kSize = 4096, kRounds = 10000 };

static unsigned table[kSize + 1];

static unsigned mix(unsigned h, unsigned x) { return (h ^ x) * 0x01000193u; }

static unsigned work(unsigned start, unsigned input) {
  unsigned h = 2166136261u * start;
  table[kSize] = mix(input, start);
  for (unsigned i = 0; i < kSize; i++) table[i] = i * 2654435761u;
  for (unsigned round = 0; round < kRounds; round++)
    for (unsigned i = 0; i < kSize; i++) {
      h = mix(h, table[i]);
      if (h & 0x100) table[i] += h >> 7;
    }
  return h;
}
