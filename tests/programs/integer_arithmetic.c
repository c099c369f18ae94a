// purpose: wrapping, division and remainder of all signs and widths, increments, comma, conditional and logical operators
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

static int calls;
static int called(int x) {
  ++calls;
  return x;
}

int main(void) {
  volatile unsigned u = UINT_MAX;
  volatile uint8_t b = 255;
  volatile int64_t w = INT64_MAX;
  printf("%u %u %d\n", u + 2, u * u, (uint8_t)(b + 1));
  const int dividends[] = {17, -17, 0, INT_MAX, INT_MIN + 1}, divisors[] = {5, -5, 1, 7, INT_MIN};
  for (int i = 0; i < 5; ++i) {
    for (int j = 0; j < 5; ++j) {
      volatile int n = dividends[i], d = divisors[j];
      printf("%d %d %u %u|", n / d, n % d, (unsigned)n / (unsigned)d, (unsigned)n % (unsigned)d);
    }
    printf("\n");
  }
  printf("%lld %lld %llu\n", (long long)(w / -3), (long long)(-w % 1000), (unsigned long long)w * 2 / 7);
  printf("%d %d %d\n", (int8_t)-128 / -1, (short)-32768 / -1, (uint8_t)200 * (uint8_t)200);
  int a = 5;
  int r = a++ * 2;
  r += --a;
  int last = (a += 3, a * 2);
  printf("%d %d %d\n", a, r, last);
  printf("%d ", called(0) && called(1));
  printf("%d ", called(1) || called(0));
  printf("%d ", called(1) && called(2) && !called(0));
  printf("%d\n", calls);
  int x = a > 5 ? a < 10 ? 1 : 2 : 3;
  x ^= x << 4;
  x |= 0x100;
  x &= ~1;
  printf("%d %d\n", x, -x);
  unsigned long long gcd_a = 1071ull << 20, gcd_b = 462ull << 20;
  while (gcd_b) {
    unsigned long long t = gcd_a % gcd_b;
    gcd_a = gcd_b;
    gcd_b = t;
  }
  return (int)(gcd_a >> 20);
}
