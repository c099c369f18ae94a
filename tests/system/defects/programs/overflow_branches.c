// purpose: seconds of a time of day are scaled only for exact clocks of the second kind
// defect: signed-overflow line 13
// checks: default,overflow
// input: kind=2 is_exact=1 seconds=80000
#include <plumb/plumb.h>

static long ticks(int kind, int is_exact, int seconds) {
  long found = seconds;
  if (kind == 2) {
#ifdef FIXED
    if (is_exact) found = (long)seconds * 32768L;
#else
    if (is_exact) found = seconds * 32768;
#endif
  }
  return found;
}

int main(void) {
  int seconds = plumb_symbolic_int("seconds");
  if (seconds < 0 || seconds >= 86400) return 1;
  return ticks(plumb_symbolic_int("kind"), plumb_symbolic_int("is_exact"), seconds) == 32768;
}
