// A heap block is filled to its end.
#include <stdlib.h>

int main(void) {
  int *block = malloc(8 * sizeof *block);
  if (!block) return 1;
  for (int i = 0; i < 8; i++) block[i] = i;
  free(block);
  return 0;
}
