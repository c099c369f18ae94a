// purpose: comparisons and branches on NaN and signed zero, in conditions, loops and selections
#include <math.h>
#include <stdio.h>

static const char *order(double a, double b) {
  if (a < b) return "less";
  if (a > b) return "greater";
  if (a == b) return "equal";
  return "unordered";
}

static int not_less(double a, double b) { return !(a < b) ? 1 : 0; }
static int both(float a, float b) { return !(a <= b) && !(a >= b); }
static double larger(double a, double b) { return a > b ? a : b; }
static double at_least(double a, double b) { return a >= b ? a : b; }

int main(void) {
  volatile double nan = NAN, zero = 0.0, one = 1.0, infinity = INFINITY;
  double values[] = {nan, zero, -zero, one, -infinity, infinity};
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 6; ++j) {
      printf("%s %d %d ", order(values[i], values[j]), not_less(values[i], values[j]), both((float)values[i], (float)values[j]));
    }
    printf("\n");
  }
  printf("%g %d %g %d\n", larger(nan, 1), isnan(larger(1, nan)) != 0, at_least(nan, 2), isnan(at_least(2, nan)) != 0);
  printf("%d %d %d\n", nan == nan, nan != nan, zero == -zero);
  printf("%g %g\n", 1 / zero, 1 / -zero);
  int steps = 0;
  for (double x = one; x != infinity && steps < 2000; x *= 2) ++steps;
  printf("%d\n", steps);
  while (!(nan >= one)) {
    if (++steps > 1030) break;
  }
  return nan ? steps % 100 : 0;
}
