// purpose: the average of no values
// defect: division-by-zero line 13
// input: total=10 missing=5
#include <plumb/plumb.h>

int main(void) {
  int total = plumb_symbolic_int("total"), missing = plumb_symbolic_int("missing");
  if (missing < 0 || missing > 5) return 1;
  int count = 5 - missing;
#ifdef FIXED
  if (count == 0) return 2;
#endif
  int average = total / count;
  if (average > 100) return 3;
  return 0;
}
