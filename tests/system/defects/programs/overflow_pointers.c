// purpose: the distance of two values that a pointer leads to, of opposite signs
// defect: signed-overflow line 12
// checks: default,overflow
// input: pair=hex:ffffff7fffffffff
#include <plumb/plumb.h>

static int compare(const void* a, const void* b) {
  const int *x = a, *y = b;
#ifdef FIXED
  return *x < *y ? -1 : *x > *y;
#else
  return *x - *y;
#endif
}

int main(void) {
  int pair[2];
  plumb_symbolic(pair, sizeof pair, "pair");
  return compare(&pair[0], &pair[1]) > 0;
}
