// purpose: Euclid's algorithm divides by the second number once more than it may
// defect: division-by-zero line 12
// input: a=9 b=3
#include <plumb/plumb.h>

static unsigned common_divisor(unsigned a, unsigned b) {
#ifdef FIXED
  while (b != 0) {
#else
  while (a != b) {
#endif
    unsigned rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

int main(void) {
  unsigned a = plumb_symbolic_uchar("a") % 16, b = plumb_symbolic_uchar("b") % 16;
  return common_divisor(a, b) == 4;
}
