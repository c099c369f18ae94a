// purpose: cleanup at the end repeats that of an error path
// defect: double-free line 16
#include <stdlib.h>

static int work(int fail) {
  int result = 0;
  char *buffer = malloc(16);
  if (!buffer) return 0;
  if (fail) {
    free(buffer);
#ifdef FIXED
    buffer = NULL;
#endif
    result = 1;
  }
  free(buffer);
  return result;
}

int main(void) { return work(0) + work(1) - 1; }
