// purpose: variadic doubles in and beyond the vector registers, mixed with integers, and long doubles
#include <stdarg.h>
#include <stdio.h>

static double total(int count, ...) {
  va_list list;
  va_start(list, count);
  double result = 0;
  for (int i = 0; i < count; ++i) result = result / 2 + va_arg(list, double);
  va_end(list);
  return result;
}

static double alternating(int count, ...) {
  va_list list;
  va_start(list, count);
  double result = 0;
  for (int i = 0; i < count; ++i) {
    int factor = va_arg(list, int);
    result += factor * va_arg(list, double);
  }
  va_end(list);
  return result;
}

static long double longest(int count, ...) {
  va_list list;
  va_start(list, count);
  long double best = -1e300L;
  for (int i = 0; i < count; ++i) {
    long double value = va_arg(list, long double);
    if (value > best) best = value;
    best += va_arg(list, int);
  }
  va_end(list);
  return best;
}

int main(void) {
  float single = 0.1f;
  printf("%.17g\n", total(3, 1.0, 2.5, -3.25));
  printf("%.17g\n", total(12, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, (double)single));
  printf("%.17g\n", total(1, single));
  printf("%.17g\n", alternating(10, 1, 1.5, -2, 2.5, 3, 3.5, -4, 4.5, 5, 5.5, -6, 6.5, 7, 7.5, -8, 8.5, 9, 9.5, -10, 10.5));
  printf("%.6f\n", (double)longest(3, 1.5L, 1, 2.25L, 2, -8.0L, 3));
  return 0;
}
