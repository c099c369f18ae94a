// purpose: the least number has no opposite
// checks: overflow
// defect: signed-overflow line 11
#include <limits.h>

static int distance(int n) {
#ifdef FIXED
  if (n == INT_MIN) return 0;
#endif
  if (n < 0)
    n = -n;
  return n;
}

int main(void) { return distance(-5) != 5 || distance(INT_MIN) == 5; }
