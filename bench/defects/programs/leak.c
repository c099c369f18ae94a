// purpose: two writes behind a block and a block that is never given back, on most paths
// seeded: A=2 B=1
#include <plumb/plumb.h>
#include <stdlib.h>

int main(void) {
  int mode = plumb_symbolic_int("mode");
  char* names = malloc(12);
  int* values = malloc(3 * sizeof *values);
  if (names == NULL || values == NULL) return 1;
  names[12] = '\0';
  for (int i = 0; i <= 3; ++i) values[i] = i;
  if (mode == 77) free(names);
  free(values);
  return 0;
}
