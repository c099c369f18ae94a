// purpose: a buffer is written after an error path freed it
// defect: use-after-free line 22
#include <stdlib.h>

static int prepare(char *buffer, int fail) {
  if (fail) {
    free(buffer);
    return -1;
  }
  return 0;
}

int main(void) {
  char *buffer = malloc(8);
  if (!buffer) return 0;
#ifdef FIXED
  int fail = 0;
#else
  int fail = 1;
#endif
  prepare(buffer, fail);
  buffer[3] = 'x';
  free(buffer);
  return 0;
}
