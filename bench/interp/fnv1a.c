// FNV-1a over an array: the loop of loads, exclusive ors and products that the bar is about.
#include <stdio.h>

enum { SIZE = 4096, ROUNDS = 2000 };
static unsigned char data[SIZE];

int main(void) {
  for (int i = 0; i < SIZE; ++i) data[i] = (unsigned char)(i * 31 + 7);
  unsigned hash = 2166136261u;
  for (int round = 0; round < ROUNDS; ++round) {
    for (int i = 0; i < SIZE; ++i) hash = (hash ^ data[i]) * 16777619u;
  }
  printf("%08x\n", hash);
  return 0;
}
