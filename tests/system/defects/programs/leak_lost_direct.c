// purpose: a larger buffer takes the place of the first, which nothing points to any more
// defect: leak line 8
// input: size=20
#include <plumb/plumb.h>
#include <stdlib.h>

int main(void) {
  char* buffer = malloc(16);
  if (buffer == NULL) return 1;
  unsigned size = plumb_symbolic_uint("size");
  if (size > 16 && size < 100) {
#ifdef FIXED
    free(buffer);
#endif
    buffer = malloc(100);
    if (buffer == NULL) return 2;
  }
  buffer[0] = 'x';
  free(buffer);
  return 0;
}
