// purpose: extended precision: arithmetic, comparison, conversion, storage and printing of long double
#include <float.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static void dump(long double value) {
  unsigned char bytes[16];
  memcpy(bytes, &value, sizeof value);
  for (int i = 9; i >= 0; --i) printf("%02x", bytes[i]);
  printf("\n");
}

static long double power(long double base, int exponent) {
  long double result = 1;
  while (exponent-- > 0) result *= base;
  return result;
}

int main(void) {
  volatile long double one = 1, three = 3;
  long double third = one / three;
  dump(third);
  dump(-third * 7);
  dump(one + LDBL_EPSILON);
  dump(power(10, 30));
  dump(0.1L);
  dump((long double)0.1);
  dump(0.1f);
  printf("%d %d %d %d\n", third < 0.3333333333333333L, third > 1.0 / 3, third == 1 / three, third != third);
  printf("%.18Lg %.20Le %.3Lf\n", third, power(1.5L, 100), power(2, 70));
  printf("%.17g %.9g\n", (double)third, (double)(float)third);
  volatile long double big = 18446744073709551615.0L, negative = -9223372036854775807.75L, small = 0.99999L;
  printf("%llu %lld %d\n", (unsigned long long)big, (long long)negative, (int)small);
  dump((long double)UINT64_MAX);
  dump((long double)INT64_MIN);
  dump((long double)-5);
  long double sum = 0;
  for (int i = 1; i <= 100; ++i) sum += one / i;
  printf("%.19Lg %zu\n", sum, sizeof sum);
  long double table[3] = {1.5L, -2.25L, 1e-4000L};
  dump(table[0] + table[1]);
  dump(table[2]);
  return (int)power(2, 7);
}
