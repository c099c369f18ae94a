// purpose: _BitInt of odd widths: wrap, sign, conversions, arrays and parameters
// flags: -std=c2x
#include <stdio.h>

typedef unsigned _BitInt(7) u7;
typedef _BitInt(13) s13;
typedef unsigned _BitInt(65) u65;
typedef unsigned _BitInt(100) u100;

static s13 mix(s13 a, u7 b) { return (s13)(a * 3 + b); }

int main(void) {
  u7 small = 120;
  small += 20;
  printf("%d\n", (int)small);
  s13 signed_value = 4095;
  printf("%d %d\n", (int)signed_value, (int)(s13)(signed_value - 8191));
  printf("%d\n", (int)mix(-100, 127));
  u65 wide = (u65)1 << 64;
  printf("%d %llu %d\n", (int)(wide >> 64), (unsigned long long)wide, (u65)(wide << 1) == 0);
  u100 big = 1;
  for (int i = 1; i < 24; ++i) big *= (u100)i;
  printf("%llu %llu\n", (unsigned long long)(big >> 50), (unsigned long long)(big & 0xffffffff));
  printf("%llu %llu\n", (unsigned long long)(big / 1000000007), (unsigned long long)(big % 1000000007));
  s13 table[5] = {-4096, -1, 0, 1, 4095};
  int total = 0;
  for (int i = 0; i < 5; ++i) {
    printf("%d %d %d\n", (int)table[i], (int)(table[i] >> 3), (int)(table[i] < table[2]));
    total += (int)table[i];
  }
  printf("%d %zu %zu\n", total, sizeof(u7), sizeof(u100));
  return (int)small;
}
