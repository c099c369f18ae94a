// A block grows and keeps what it held.
// Fails with: no input
#include <stdlib.h>

int main(void) {
  int *block = malloc(2 * sizeof *block);
  if (!block) return 0;
  block[0] = 1;
  block[1] = 2;
  int *larger = realloc(block, 4 * sizeof *block);
  if (!larger) {
    free(block);
    return 0;
  }
  larger[3] = block[1];
  free(larger);
  return 0;
}
