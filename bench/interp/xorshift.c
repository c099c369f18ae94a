// A generator of 64-bit numbers: registers only, no memory.
#include <stdio.h>

int main(void) {
  unsigned long long state = 88172645463325252ull, sum = 0;
  for (int i = 0; i < 6000000; ++i) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    sum += state;
  }
  printf("%016llx\n", sum);
  return 0;
}
