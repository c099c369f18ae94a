// purpose: comparisons of floating point inputs with constants
// expect: all
#include "probe.h"

int main(void) {
  double x = 0;
  float y = 0;
  plumb_symbolic(&x, sizeof x, "x");
  plumb_symbolic(&y, sizeof y, "y");
  if (B(x < -2.5)) return 1;
  if (B(x == 1024.75)) return 2;
  if (B(y >= 3.0f)) {
    if (B(y <= 3.5f)) return 3;
  }
  if (B(x != x)) return 4;
  return 0;
}
