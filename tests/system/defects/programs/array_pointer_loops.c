// purpose: the search for a key looks at one entry more than the table has
// defect: array-pointer-out-of-bounds line 9
// input: key=9
#include <plumb/plumb.h>

static int find(const int* keys, int key) {
  int steps = 0;
  for (const int* at = keys; steps < 5; ++at, ++steps)
    if (*at == key) return steps;
  return -1;
}

int main(void) {
#ifdef FIXED
  int keys[5] = {0, 3, 7, 12, 40};
#else
  int keys[4] = {0, 3, 7, 12};
#endif
  int key = plumb_symbolic_int("key");
  if (key < 0) return 1;
  return find(keys, key) > 3;
}
