// purpose: a slot of a table is reached through a pointer; empty slots hold null
// defect: null-dereference line 16
// input: key=6
#include <plumb/plumb.h>
#include <stddef.h>

static int small = 1, large = 100;
static int* slots[4] = {&small, &large, NULL, &small};

int main(void) {
  unsigned key = plumb_symbolic_uint("key");
  int** slot = &slots[key % 4];
#ifdef FIXED
  if (*slot != NULL) **slot += 1;
#else
  **slot += 1;
#endif
  return large == 101;
}
