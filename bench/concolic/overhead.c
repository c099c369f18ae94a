// 200 million operations on values that do not depend on input, in memory and in registers, then one branch that does.
#include <plumb/plumb.h>

enum { kSize = 4096, kRounds = 10000 };

static unsigned table[kSize];

static unsigned mix(unsigned h, unsigned x) { return (h ^ x) * 0x01000193u; }

int main(void) {
  unsigned x = plumb_symbolic_uint("x"), h = 2166136261u;
  for (unsigned i = 0; i < kSize; i++) table[i] = i * 2654435761u;
  for (unsigned round = 0; round < kRounds; round++)
    for (unsigned i = 0; i < kSize; i++) {
      h = mix(h, table[i]);
      if (h & 0x100) table[i] += h >> 7;
    }
  if (x == (h | 1)) return 1;
  return 0;
}
