// purpose: a value is stored through a pointer to its slot without looking at what was there
// defect: leak line 13
// input: first=2 second=2
#include <plumb/plumb.h>
#include <stdlib.h>

static int* slots[4];

static void put(int** slot, int value) {
#ifdef FIXED
  free(*slot);
#endif
  *slot = malloc(sizeof **slot);
  if (*slot != NULL) **slot = value;
}

int main(void) {
  unsigned first = plumb_symbolic_uint("first"), second = plumb_symbolic_uint("second");
  if (first >= 4) return 1;
  put(&slots[first], 1);
  if (second > 0 && second < 4) put(&slots[second], 2);
  for (int i = 0; i < 4; ++i) free(slots[i]);
  return 0;
}
