// purpose: loops whose number of rounds depends on input
// expect: all
#include "probe.h"

int main(void) {
  unsigned char n = plumb_symbolic_uchar("n"), step = plumb_symbolic_uchar("step");
  plumb_assume(n < 12);
  unsigned sum = 0;
  for (unsigned i = 0; B(i < n); i++) {
    sum += i * step;
    if (B(sum > 100)) break;
  }
  while (B(sum > 7)) sum -= 7;
  if (B(sum == 5)) return 1;
  return 0;
}
