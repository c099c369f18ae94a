// purpose: an early return misses the cleanup
// defect: leak line 6
#include <stdlib.h>

static int parse(int bad) {
  char *text = malloc(32);
  if (!text) return 0;
  if (bad) {
#ifdef FIXED
    free(text);
#endif
    return 1;
  }
  free(text);
  return 0;
}

int main(void) { return parse(0) + parse(1) - 1; }
