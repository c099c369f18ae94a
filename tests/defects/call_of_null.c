// purpose: an entry of a table of functions that is not there
// defect: invalid-call line 14
#include <stddef.h>

static int one(void) { return 1; }
static int (*const table[3])(void) = {one, NULL, one};

int main(void) {
#ifdef FIXED
  int index = 2;
#else
  int index = 1;
#endif
  return table[index]() - 1;
}
