// purpose: a struct is copied with its pointer, and both the copy and the original are released
// defect: double-free line 13
// input: is_copied=1
#include <plumb/plumb.h>
#include <stdlib.h>

struct vector {
  int* items;
  unsigned count;
};

static void release(struct vector* vector) {
  free(vector->items);
  vector->items = NULL;
  vector->count = 0;
}

int main(void) {
  struct vector original = {malloc(4 * sizeof(int)), 4};
  struct vector copy = {NULL, 0};
  if (plumb_symbolic_int("is_copied")) {
#ifdef FIXED
    copy.items = malloc(original.count * sizeof(int));
#else
    copy.items = original.items;
#endif
    copy.count = original.count;
  }
  release(&copy);
  release(&original);
  return 0;
}
