// purpose: a number is read from a byte buffer at the offset that its header gives
// defect: misaligned line 18
// checks: default,alignment
// input: offset=6
#include <plumb/plumb.h>
#include <stdlib.h>

int main(void) {
  unsigned char* block = calloc(16, 1);
  if (block == NULL) return 1;
  unsigned offset = plumb_symbolic_uchar("offset");
#ifdef FIXED
  int is_read = offset <= 12 && offset % 4 == 0;
#else
  int is_read = offset <= 12 && offset % 2 == 0;
#endif
  int value = 0;
  if (is_read) value = *(int*)(block + offset);
  free(block);
  return value;
}
