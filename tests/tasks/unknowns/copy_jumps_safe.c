// A copy to far behind a block.
#include <stdlib.h>
#include <string.h>

int main(void) {
  char *block = calloc(16, 1);
  if (!block) return 1;
  memcpy(block + 8, "eight..", 8);
  free(block);
  return 0;
}
