// purpose: a wild write that crashes natively, and whose kind and place the interpreter knows
// expect: all
// defect: array-out-of-bounds 11
#include "probe.h"

static int table[4];

int main(void) {
  int i = plumb_symbolic_int("i"), guard = plumb_symbolic_int("guard");
  if (B(guard == 77)) {
    table[i & 0x3fffffff] = 1;
  }
  if (B(i == 3)) return 1;
  return 0;
}
