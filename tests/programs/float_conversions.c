// purpose: conversions between floating point and integers of all widths and signs, truncation and rounding at the edges
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

int main(void) {
  volatile double d[] = {0.0, 0.99, -0.99, 1.5, -1.5, 127.9, -128.9, 255.5, 32767.9, 65535.9, 2147483647.9, -2147483648.9};
  printf("%d %d %d %d %d\n", (int)d[0], (int)d[1], (int)d[2], (int)d[3], (int)d[4]);
  printf("%d %d %u %d %u\n", (signed char)d[5], (signed char)d[6], (unsigned char)d[7], (short)d[8], (unsigned short)d[9]);
  printf("%d %d\n", (int)d[10], (int)d[11]);
  volatile double big[] = {4294967295.5, 9007199254740993.0, 9223372036854774784.0, -9223372036854775808.0, 18446744073709549568.0, 9223372036854775808.0};
  printf("%u %lld %lld %lld\n", (unsigned)big[0], (long long)big[1], (long long)big[2], (long long)big[3]);
  printf("%llu %llu %llu\n", (unsigned long long)big[4], (unsigned long long)big[5], (unsigned long long)d[3]);
  volatile long long l[] = {0, -1, 16777217, 33554431, 9007199254740993, LLONG_MAX, LLONG_MIN, 1LL << 53, (1LL << 62) + 1};
  for (int i = 0; i < 9; ++i) {
    printf("%.17g %.17g %.17g %.17g\n", (double)l[i], (double)(float)l[i], (double)(unsigned long long)l[i], (double)(float)(unsigned long long)l[i]);
  }
  volatile int n[] = {INT_MAX, INT_MIN, -7, 16777219};
  for (int i = 0; i < 4; ++i) {
    printf("%.17g %.17g %.17g %.17g %.17g\n", (double)n[i], (double)(float)n[i], (double)(unsigned)n[i], (double)(signed char)n[i], (double)(float)(unsigned short)n[i]);
  }
  volatile double narrow[] = {0.1, 1e-46, 1e39, 3.4028235677973366e38, 1.401298464324817e-45, 16777217.0};
  for (int i = 0; i < 6; ++i) printf("%.17g\n", (double)(float)narrow[i]);
  volatile float f = 3.99f;
  printf("%d %u %lld %d\n", (int)f, (unsigned)f, (long long)-f, (_Bool)f);
  volatile double half = 0.5, nil = -0.0;
  printf("%d %d %d\n", (_Bool)half, (_Bool)nil, !half);
  return (int)(f * 10);
}
