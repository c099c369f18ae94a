// purpose: the program gives up
// defect: abort line 7
#include <stdlib.h>

static int checked(int value) {
  if (value < 0) {
    abort();
  }
  return value;
}

int main(void) {
#ifdef FIXED
  return checked(0);
#else
  return checked(-1);
#endif
}
