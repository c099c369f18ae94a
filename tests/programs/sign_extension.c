// purpose: integer promotions, conversions between widths and signs, comparisons of mixed signs
#include <stdint.h>
#include <stdio.h>

static int from_char(signed char c) { return c; }
static unsigned from_byte(unsigned char c) { return c; }
static long from_short(short s) { return s; }
static unsigned long from_unsigned(unsigned u) { return u; }
static signed char narrow(int x) { return (signed char)x; }
static _Bool truth(int x) { return x; }

int main(void) {
  volatile signed char c = -100;
  volatile unsigned char u = 200;
  volatile short s = -30000;
  volatile unsigned short h = 60000;
  volatile int i = -2000000000;
  volatile unsigned n = 4000000000u;
  volatile long l = -(1L << 60);
  printf("%d %u %ld %lu\n", from_char(c), from_byte(u), from_short(s), from_unsigned(n));
  printf("%d %d %d %d\n", narrow(200), narrow(-129), narrow(0x17f), truth(256));
  printf("%d %d %d\n", c + u, c * u, (signed char)(c + u));
  printf("%u %d %ld\n", (unsigned)c, (int)(unsigned char)c, (long)(unsigned)i);
  printf("%d %d %d %d\n", i < (int)n, (unsigned)i < n, c < u, (unsigned)s > h);
  printf("%d %d\n", -1 < (int)sizeof(int), (size_t)-1 < sizeof(int));
  printf("%ld %ld %lu\n", l >> 3, (long)i * i, (unsigned long)l >> 3);
  printf("%d %d %d %d\n", -7 / 2, -7 % 2, 7 / -2, 7 % -2);
  printf("%d %d\n", (int)(int16_t)0x8000, (int)(int8_t)0xff);
  printf("%lld %llu\n", (long long)(int32_t)n, (unsigned long long)(int32_t)n);
  printf("%u %u\n", (unsigned)u << 24, ~(unsigned)u);
  printf("%d %d\n", ~u, !u);
  h += 10000;
  c -= 100;
  printf("%d %d\n", h, c);
  return (unsigned char)(c >> 1);
}
