// purpose: floating point in 32 bits with the vector unit, including 64-bit conversions and long double of 12 bytes
// flags: -m32 -msse2 -mfpmath=sse
#include <stdint.h>
#include <stdio.h>

static double mean(const float *values, int count) {
  double total = 0;
  for (int i = 0; i < count; ++i) total += values[i];
  return total / count;
}

int main(void) {
  float values[] = {0.1f, 0.2f, 0.3f, 1e10f, -1e10f};
  printf("%.17g\n", mean(values, 5));
  volatile double third = 1.0 / 3, big = 1e18;
  volatile float single = 0.1f;
  printf("%.17g %.17g %.9g\n", third * 3, third + third, (double)(single * single));
  printf("%lld %llu %d\n", (long long)big, (unsigned long long)(big * 10), (int)(third * 100));
  volatile int64_t l = (1LL << 62) + 1;
  volatile uint64_t u = ~0ull;
  printf("%.17g %.17g %.9g\n", (double)l, (double)u, (double)(float)u);
  volatile long double extended = 1;
  extended /= 3;
  printf("%.19Lg %u\n", extended, (unsigned)sizeof extended);
  long double table[2] = {1.5L, 2.5L};
  printf("%Lg\n", table[0] * table[1]);
  return (int)(single * 100);
}
