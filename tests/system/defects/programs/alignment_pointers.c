// purpose: a cursor over bytes is taken for a pointer to numbers after a byte was read
// defect: misaligned line 20
// checks: default,alignment
// input: tag=1
#include <plumb/plumb.h>
#include <stdlib.h>

int main(void) {
  char* block = calloc(16, 1);
  if (block == NULL) return 1;
  char* cursor = block;
  char** place = &cursor;
  if (plumb_symbolic_uchar("tag") == 1) {
#ifdef FIXED
    *place += sizeof(long);
#else
    *place += 1;
#endif
  }
  long value = *(long*)*place;
  free(block);
  return value != 0;
}
