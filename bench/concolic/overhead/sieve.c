// The primes below a limit, again and again.
#include "overhead.h"

enum { kLimit = 1 << 16, kRounds = 1000 };

static struct {
  unsigned char composite[kLimit];
  unsigned input;
} numbers;

static unsigned work(unsigned start, unsigned input) {
  unsigned count = 0;
  numbers.input = input;
  for (unsigned round = 0; round < kRounds; round++) {
    for (unsigned i = 0; i < kLimit; i++) numbers.composite[i] = i < 1 + start;
    for (unsigned i = 2; i * i < kLimit; i++) {
      if (numbers.composite[i]) continue;
      for (unsigned j = i * i; j < kLimit; j += i) numbers.composite[j] = 1;
    }
    for (unsigned i = 0; i < kLimit; i++)
      if (!numbers.composite[i]) count++;
  }
  return count;
}
