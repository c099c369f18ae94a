// purpose: printf's floating point conversions: rounding, exponents, shortest forms, hexadecimal, infinities
#include <float.h>
#include <math.h>
#include <stdio.h>

static const double values[] = {0.0, -0.0, 1.0, -1.5, 0.1, 2.0 / 3, 123456.789, 1e10, 1e-10, 1.5e300, 5e-324, DBL_MAX, DBL_MIN, 0.5, 2.5, 9.9999999,
                                99999.5, 1e21, 0.0001, 0.00001234, 100000, 1000000, 1e15, 123456789.0};

int main(void) {
  for (unsigned i = 0; i < sizeof values / sizeof *values; ++i) {
    double v = values[i];
    printf("%e|%g|%.3f|%.0f|%.10e|%.0e\n", v, v, v < 1e20 ? v : 1.0, v < 1e20 ? v : 1.0, v, v);
    printf("%G|%.3g|%.15g|%.17g|%#g|%.0g\n", v, v, v, v, v, v);
    printf("%a|%.2a|%A\n", v, v, v);
  }
  printf("[%10.2f] [%-10.2f] [%010.2f] [%+.2f] [% .2f] [%#.0f]\n", 3.14159, 3.14159, -3.14159, 3.14159, 3.14159, 3.0);
  printf("[%12e] [%-14e] [%015g] [%*.*f]\n", 12345.678, 12345.678, 12345.678, 9, 3, 12345.678);
  printf("%.0f %.0f %.0f %.0f %.1f %.1f %.2f\n", 0.5, 1.5, 2.5, 3.5, 0.25, 0.35, 1.005);
  printf("%.50f\n", 0.1);
  printf("%.25e\n", 1.0 / 3);
  printf("%f %f %F %e %g [%8f] [%-8f] [%08f] %+f\n", INFINITY, -INFINITY, INFINITY, INFINITY, -INFINITY, INFINITY, INFINITY, INFINITY, INFINITY);
  printf("%f [%6f] %G\n", fabs(NAN), fabs(NAN), fabs(NAN));
  printf("%Lf %Lg %.20Lf %Le\n", 1.5L, 1e100L, 0.1L, -2.5e-30L);
  printf("%f\n", 1e22);
  printf("%f %f\n", (double)0.1f, (double)16777217);
  return 0;
}
