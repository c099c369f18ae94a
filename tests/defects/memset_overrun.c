// purpose: memset with the size of a pointer's target mistaken
// defect: pointer-out-of-bounds line 12
#include <stdlib.h>
#include <string.h>

int main(void) {
  int *block = malloc(10);
  if (!block) return 0;
#ifdef FIXED
  memset(block, 0, 10);
#else
  memset(block, 0, 10 * sizeof *block);
#endif
  free(block);
  return 0;
}
