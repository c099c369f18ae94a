// purpose: calls through a table at an index from the input
// expect: all
#include "probe.h"

static int twice(int x) { return 2 * x; }
static int squared(int x) { return x * x; }
static int negated(int x) { return -x; }
static int (*const operations[3])(int) = {twice, squared, negated};

int main(void) {
  unsigned char which = plumb_symbolic_uchar("which");
  int x = plumb_symbolic_short("x");
  if (B(which > 2)) return 1;
  int y = operations[which](x);
  if (B(y == 1369)) return 2;
  if (B(y == -77)) return 3;
  return 0;
}
