// purpose: a recursive function over input, and results that pass through calls
// expect: all
#include "probe.h"

static int digits(unsigned n, int depth) {
  if (B(n < 10)) return depth;
  return digits(n / 10, depth + 1);
}

static int choose(int first, int a, int b) { return B(first) ? a : b; }

int main(void) {
  unsigned n = plumb_symbolic_uint("n");
  int x = plumb_symbolic_int("x");
  int size = digits(n, 1);
  if (B(size == 4)) {
    if (B(choose(x > 0, (int)n, x) == 4711)) return 1;
  }
  if (B(size > 8)) return 2;
  return 0;
}
