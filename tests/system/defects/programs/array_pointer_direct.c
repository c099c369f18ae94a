// purpose: a pointer to the first of five counters is indexed by a number that was tested against six
// defect: array-pointer-out-of-bounds line 15
// input: which=5
#include <plumb/plumb.h>

int main(void) {
  int counters[5] = {0};
  int* first = counters;
  int which = plumb_symbolic_int("which");
#ifdef FIXED
  if (which < 0 || which > 4) return 1;
#else
  if (which < 0 || which > 5) return 1;
#endif
  first[which] += 1;
  return first[0];
}
