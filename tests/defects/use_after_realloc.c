// purpose: a pointer kept across a realloc
// defect: use-after-free line 15
#include <stdlib.h>

int main(void) {
  int *values = malloc(4 * sizeof *values);
  if (!values) return 0;
  int *first = values;
  *first = 1;
  values = realloc(values, 4000 * sizeof *values);
  if (!values) return 0;
#ifdef FIXED
  first = values;
#endif
  *first += 1;
  int result = values[0] - 2;
  free(values);
  return result;
}
