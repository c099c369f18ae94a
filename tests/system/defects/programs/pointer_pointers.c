// purpose: a cursor is moved through a pointer to it, and written to although it may stand at the end
// defect: pointer-out-of-bounds line 21
// input: first=3 second=5
#include <plumb/plumb.h>
#include <stdlib.h>

static void skip(char** cursor, const char* end, unsigned count) {
  if (count <= (unsigned)(end - *cursor)) *cursor += count;
}

int main(void) {
  char* block = malloc(8);
  if (block == NULL) return 1;
  char* cursor = block;
  char** place = &cursor;
  skip(place, block + 8, plumb_symbolic_uint("first"));
  skip(place, block + 8, plumb_symbolic_uint("second"));
#ifdef FIXED
  if (*place != block + 8) **place = '.';
#else
  **place = '.';
#endif
  free(block);
  return 0;
}
