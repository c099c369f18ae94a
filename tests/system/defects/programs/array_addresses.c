// purpose: an index that is wrong is told of once, and not again as an address that is computed
// defect: array-out-of-bounds line 14
// checks: default,pointer-arithmetic
// input: index=7
#include <plumb/plumb.h>

int main(void) {
  static int numbers[4] = {1, 2, 3, 4};
  int index = plumb_symbolic_int("index");
#ifdef FIXED
  if (index > 3) return 0;
#endif
  if (index < 0 || index > 7) return 0;
  int found = numbers[index];
  return found == 9;
}
