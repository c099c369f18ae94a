// purpose: double precision: every operation, comparisons with NaN, classification, fmod, sqrt, rounding functions
// flags: -lm
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint64_t bits(double d) {
  uint64_t u;
  memcpy(&u, &d, sizeof u);
  return d != d ? 0x7ff8000000000000 : u;
}

int main(void) {
  const double values[] = {0.0, -0.0, 1.0, -1.0, 0.1, DBL_MAX, DBL_MIN, 5e-324, 9007199254740993.0, -2.5, 2.5, 0.49999999999999994, -1e-300, INFINITY, NAN};
  const int count = sizeof values / sizeof *values;
  uint64_t hash = 0;
  for (int i = 0; i < count; ++i) {
    for (int j = 0; j < count; ++j) {
      volatile double a = values[i], b = values[j];
      hash = hash * 31 + bits(a + b);
      hash = hash * 31 + bits(a - b);
      hash = hash * 31 + bits(a * b);
      hash = hash * 31 + bits(a / b);
      hash = hash * 31 + bits(fmin(a, b) + 0.0);
      hash = hash * 31 + bits(copysign(a, 1) + fabs(b));
      hash = hash * 31 + (uint64_t)((a < b) | (a <= b) << 1 | (a > b) << 2 | (a >= b) << 3 | (a == b) << 4 | (a != b) << 5);
      hash = hash * 31 + (uint64_t)(!(a < b) | isunordered(a, b) << 1 | isgreater(a, b) << 2 | islessequal(a, b) << 3);
    }
    volatile double v = values[i];
    printf("%d %016llx\n", i, (unsigned long long)hash);
    printf("%g %g %g %g %g %g\n", floor(v), ceil(v), trunc(v), round(v), rint(v), sqrt(fabs(v)) + 0.0);
    printf("%d %d %d %d %d\n", isnan(v) != 0, isinf(v) != 0, isfinite(v) != 0, signbit(values[i]) != 0 && v == v, isnormal(v) != 0);
  }
  printf("%.17g %.17g %.17g\n", fmod(10.5, 3), fmod(-1e17, 7), fmod(5.0, -3.25));
  volatile double a = 1e16, b = 1.0;
  printf("%.17g %.17g %.17g\n", a + b - a, (a + b) * b, 0.1 + 0.2 * b);
  printf("%.17g %.17g\n", fma(0.1, 10, -b), 0.1 * 10 - b);
  return (int)sqrt(2025.0 * b);
}
