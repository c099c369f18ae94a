// purpose: the absolute value of the least number there is
// defect: signed-overflow line 9
// checks: default,overflow
// input: offset=-2147483648
#include <limits.h>
#include <plumb/plumb.h>

static int magnitude(int value) {
  if (value < 0) return -value;
  return value;
}

int main(void) {
  int offset = plumb_symbolic_int("offset");
#ifdef FIXED
  if (offset == INT_MIN) return 1;
#endif
  if (magnitude(offset) > 1000) return 2;
  return 0;
}
