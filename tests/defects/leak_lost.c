// purpose: the only pointer to an object goes out of scope
// defect: leak line 6
#include <stdlib.h>

static int measure(int n) {
  int *scratch = malloc((size_t)n * sizeof *scratch);
  if (!scratch) return 0;
  for (int i = 0; i < n; ++i) scratch[i] = i;
  int result = scratch[n - 1];
#ifdef FIXED
  free(scratch);
#endif
  return result;
}

int main(void) { return measure(10) - 9; }
