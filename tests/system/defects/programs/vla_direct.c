// purpose: a buffer for all numbers between two, of which there may be none
// defect: vla-size line 13
// checks: default,vla
// input: first=3 last=3
#include <plumb/plumb.h>

int main(void) {
  int first = plumb_symbolic_int("first"), last = plumb_symbolic_int("last");
  if (first < 0 || first > 9 || last < first || last > 9) return 0;
#ifdef FIXED
  char seen[last - first + 1];
#else
  char seen[last - first];
#endif
  seen[0] = 1;
  return seen[0] - 1;
}
