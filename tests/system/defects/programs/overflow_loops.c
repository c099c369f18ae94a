// purpose: groups of three digits are put together to a number that has no room for four of them
// defect: signed-overflow line 17
// checks: default,overflow
// input: groups=hex:e703e703e703e703
#include <limits.h>
#include <plumb/plumb.h>

int main(void) {
  unsigned short groups[4];
  int value = 0;
  plumb_symbolic(groups, sizeof groups, "groups");
  for (int i = 0; i < 4; ++i) {
    if (groups[i] > 999) return 1;
#ifdef FIXED
    if (value > (INT_MAX - groups[i]) / 1000) return 2;
#endif
    value = value * 1000 + groups[i];
  }
  return value == 7;
}
