// purpose: the error path releases the buffer and falls into the common release
// defect: double-free line 20
// input: size=200
#include <plumb/plumb.h>
#include <stdlib.h>

int main(void) {
  char* buffer = malloc(64);
  if (buffer == NULL) return 1;
  unsigned size = plumb_symbolic_uint("size");
  int code = 0;
  if (size > 64) {
    code = 2;
#ifndef FIXED
    free(buffer);
#endif
  } else {
    buffer[0] = 'x';
  }
  free(buffer);
  return code;
}
