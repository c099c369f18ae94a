// purpose: the quotient of the least number and -1 does not fit
// checks: default,overflow
// defect: signed-overflow line 11
#include <limits.h>

static int quotient(int a, int b) {
#ifdef FIXED
  if (b == -1 && a == INT_MIN) return INT_MAX;
#endif

  return a / b;
}

int main(void) { return quotient(INT_MIN, -1) == 3; }
