// purpose: a shift by as much as the number has bits
// checks: default,shift
// defect: shift-out-of-range line 7
#include <stdlib.h>

static unsigned bit(int n) {
  return 1u << n;
}

int main(int argc, char **argv) {
  (void)argv;
#ifdef FIXED
  return bit(30 + argc) == 0;
#else
  return bit(31 + argc) == 0;
#endif
}
