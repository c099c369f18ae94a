// purpose: a result that is set in the cases of a switch is used in the case that was forgotten
// defect: uninitialised-read line 20
// checks: default,uninitialised
// input: unit=2
#include <plumb/plumb.h>

int main(void) {
  int unit = plumb_symbolic_int("unit");
#ifdef FIXED
  int factor = 100;
#else
  int factor;
#endif
  switch (unit) {
    case 0: factor = 1; break;
    case 1: factor = 10; break;
    case 2: break;
    default: return 1;
  }
  if (factor > 5) return 2;
  return 0;
}
