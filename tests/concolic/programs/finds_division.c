// purpose: a divisor that becomes zero for one value
// expect: all
// defect: division-by-zero 8
#include "probe.h"

int main(void) {
  int x = plumb_symbolic_int("x");
  int q = 1000000 / (x - 12345);
  if (B(q > 100)) return 1;
  return 0;
}
