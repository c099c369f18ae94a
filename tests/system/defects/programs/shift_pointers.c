// purpose: a reader of bits moves its position through a pointer, and shifts by what was there before the wrap
// defect: shift-out-of-range line 23
// checks: default,shift
// input: first=20 second=12
#include <plumb/plumb.h>

static unsigned word = 0x12345678;

static void skip(unsigned* position, unsigned bits) {
  if (bits <= 20) *position += bits;
}

int main(void) {
  unsigned position = 0;
  unsigned* at = &position;
  skip(at, plumb_symbolic_uint("first"));
  skip(at, plumb_symbolic_uint("second"));
#ifdef FIXED
  if (*at >= 32) return 1;
#else
  if (*at > 32) return 1;
#endif
  return (word >> *at & 1) != 0;
}
