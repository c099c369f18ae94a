// purpose: a signed power is asked for only in the extended format, with a width that the plain one does not have
// defect: shift-out-of-range line 13
// checks: default,shift
// input: format=2 bits=64
#include <plumb/plumb.h>

static unsigned long highest(unsigned format, unsigned bits) {
  if (bits == 0) return 0;
  if (format == 2) {
#ifdef FIXED
    if (bits <= 64) return 1ul << (bits - 1);
#else
    if (bits <= 64) return 1ul << bits >> 1;
#endif
  }
  return 1;
}

int main(void) {
  return highest(plumb_symbolic_uint("format"), plumb_symbolic_uint("bits")) == 16;
}
