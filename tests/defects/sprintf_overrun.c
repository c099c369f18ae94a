// purpose: sprintf into a buffer that is too small for a large number
// defect: array-pointer-out-of-bounds line 10
#include <stdio.h>

static int describe(int number) {
  char text[12];
#ifdef FIXED
  return snprintf(text, sizeof text, "value %d", number);
#else
  return sprintf(text, "value %d", number);
#endif
}

int main(void) { return describe(5) + describe(1234567) < 0; }
