// purpose: a fixed-point number is scaled by the difference of two positions, which may be negative
// defect: shift-out-of-range line 8
// checks: default,shift
// input: from=5 to=3
#include <plumb/plumb.h>

static unsigned scale(unsigned value, int places) {
  return value << places;
}

static unsigned convert(unsigned value, int from, int to) {
#ifdef FIXED
  if (to < from) return value >> (from - to);
#endif
  return scale(value, to - from);
}

int main(void) {
  int from = plumb_symbolic_uchar("from") % 16, to = plumb_symbolic_uchar("to") % 16;
  return convert(3, from, to) == 48;
}
