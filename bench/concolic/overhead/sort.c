// Shell's sort of an array through a pointer, with a function that compares.
#include "overhead.h"

enum { kSize = 4096, kRounds = 250 };

static int is_less(int a, int b) { return a < b; }

static void sort(int *values, int count) {
  for (int gap = count / 2; gap > 0; gap /= 2)
    for (int i = gap; i < count; i++) {
      int value = values[i], j = i;
      for (; j >= gap && is_less(value, values[j - gap]); j -= gap) values[j] = values[j - gap];
      values[j] = value;
    }
}

static int values[kSize + 64];

static unsigned work(unsigned start, unsigned input) {
  unsigned x = start, sum = 0;
  values[kSize + 40] = (int)input;
  for (int round = 0; round < kRounds; round++) {
    for (int i = 0; i < kSize; i++) {
      x = x * 1103515245u + 12345u;
      values[i] = (int)(x >> 8);
    }
    sort(values, kSize);
    sum += (unsigned)values[kSize / 2];
  }
  return sum;
}
