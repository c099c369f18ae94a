// purpose: an index far outside of its object, that lies in another one or nowhere
// defect: pointer-out-of-bounds line 14
#include <stdlib.h>

int main(void) {
  int *a = malloc(16 * sizeof *a), *b = malloc(16 * sizeof *b);
  if (!a || !b) return 0;
  for (int i = 0; i < 16; ++i) a[i] = b[i] = i;
#ifdef FIXED
  int index = 15;
#else
  int index = 24;
#endif
  int value = a[index];
  free(a);
  free(b);
  return value < 0;
}
