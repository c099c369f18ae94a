// purpose: a scale is taken from where a pointer leads, and one of the two places may be zero
// defect: division-by-zero line 15
// input: own=0 is_own=1
#include <plumb/plumb.h>

static int common = 10;

int main(void) {
  int own = plumb_symbolic_int("own"), is_own = plumb_symbolic_int("is_own");
  const int* scale = &common;
  if (is_own) scale = &own;
#ifdef FIXED
  if (*scale == 0) return 1;
#endif
  if (1000 / *scale > 50) return 2;
  return 0;
}
