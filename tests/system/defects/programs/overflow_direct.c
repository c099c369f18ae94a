// purpose: the middle of two places of a long table is computed by their sum
// defect: signed-overflow line 13
// checks: default,overflow
// input: low=1500000000 high=1600000000
#include <plumb/plumb.h>

int main(void) {
  int low = plumb_symbolic_int("low"), high = plumb_symbolic_int("high");
  if (low < 0 || high < low) return 1;
#ifdef FIXED
  int middle = low + (high - low) / 2;
#else
  int middle = (low + high) / 2;
#endif
  if (middle < low) return 2;
  return 0;
}
