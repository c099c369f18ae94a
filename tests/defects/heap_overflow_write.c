// purpose: a loop writes one element past the end of a heap array
// defect: pointer-out-of-bounds line 16
#include <stdlib.h>

#ifdef FIXED
#define LAST(n) ((n)-1)
#else
#define LAST(n) (n)
#endif

int main(void) {
  int n = 10;
  int *values = malloc((size_t)n * sizeof *values);
  if (!values) return 0;
  for (int i = 0; i <= LAST(n); ++i) {
    values[i] = i;
  }
  free(values);
  return 0;
}
