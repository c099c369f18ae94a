// purpose: a member of a structure from malloc that was never set
// defect: uninitialised-pointer line 18
#include <stdlib.h>

struct box { int size; int *data; };

int main(void) {
#ifdef FIXED
  struct box *b = malloc(sizeof *b);
  int storage[1] = {1};
  if (!b) return 0;
  b->data = storage;
#else
  struct box *b = malloc(sizeof *b);
  if (!b) return 0;
#endif
  b->size = 1;
  b->data[0] = 3;
  free(b);
  return 0;
}
