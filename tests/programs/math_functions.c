// purpose: functions of math.h, to the digits that two libraries agree on
// flags: -lm
#include <math.h>
#include <stdio.h>

int main(void) {
  const double values[] = {0.1, 0.5, 1, 1.5, 2.75, 10, 100.25};
  for (unsigned i = 0; i < sizeof values / sizeof *values; ++i) {
    volatile double x = values[i];
    printf("%.10g %.10g %.10g %.10g\n", sin(x), cos(x), tan(x), atan(x));
    printf("%.10g %.10g %.10g %.10g\n", exp(x / 10), log(x), log10(x), log2(x));
    printf("%.10g %.10g %.10g %.10g\n", pow(x, 2.5), cbrt(x), hypot(x, 2), atan2(x, -1));
    printf("%.10g %.10g %.10g\n", sinh(x / 10), tanh(x), asin(x / 200));
    int exponent;
    double whole, mantissa = frexp(x, &exponent), part = modf(-x, &whole);
    printf("%g %d %g %g %g\n", mantissa, exponent, part, whole, ldexp(x, 5));
    printf("%ld %ld %lld %g %g\n", lround(x), lrint(x), llround(-x), nearbyint(x), fdim(x, 1));
  }
  printf("%g %g %d %g\n", fmax(1, NAN), fmin(NAN, 2), ilogb(1000), scalbn(1.5, 4));
  printf("%g %g %g\n", (double)sqrtf(2.25f), (double)fabsf(-1.5f), (double)floorf(-0.5f));
  printf("%.17g %g\n", nextafter(1, 2), remainder(10.5, 3));
  return 0;
}
