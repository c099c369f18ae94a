// The sieve of Eratosthenes: stores with growing strides.
#include <stdio.h>
#include <string.h>

enum { LIMIT = 200000, ROUNDS = 10 };
static char composite[LIMIT];

int main(void) {
  int count = 0;
  for (int round = 0; round < ROUNDS; ++round) {
    memset(composite, 0, sizeof composite);
    for (int i = 2; i < LIMIT; ++i) {
      if (composite[i]) continue;
      ++count;
      for (long j = (long)i * i; j < LIMIT; j += i) composite[j] = 1;
    }
  }
  printf("%d\n", count);
  return 0;
}
