// A copy to far behind a block.
// Fails with: no input
#include <stdlib.h>
#include <string.h>

int main(void) {
  char *block = calloc(16, 1);
  if (!block) return 1;
  memcpy(block + 40, "eight..", 8);
  free(block);
  return 0;
}
