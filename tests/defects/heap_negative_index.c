// purpose: an index that became negative by subtraction
// defect: pointer-out-of-bounds line 6
#include <stdlib.h>

static int pop(const int *items, int *depth) {
  return items[--*depth];
}

int main(void) {
  int *items = malloc(4 * sizeof *items), depth = 0, total = 0;
  if (!items) return 0;
  items[depth++] = 5;
  items[depth++] = 6;
#ifdef FIXED
  int rounds = 2;
#else
  int rounds = 3;
#endif
  for (int i = 0; i < rounds; ++i) total += pop(items, &depth);
  free(items);
  return total == 0;
}
