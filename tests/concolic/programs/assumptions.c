// purpose: what an assumption excludes is never covered, and what it leaves is
// expect: infeasible 9:true
#include "probe.h"

int main(void) {
  int x = plumb_symbolic_int("x"), y = plumb_symbolic_range(-5, 5, "y");
  plumb_assume(x > 1000);
  plumb_assume(x != 2000);
  if (B(x == 2000)) return 1;
  if (B(x + y == 1001)) return 2;
  if (B(y == -5)) return 3;
  return 0;
}
