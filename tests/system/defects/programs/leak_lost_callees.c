// purpose: a function leaves by its error exit without the scratch memory that it asked for
// defect: leak line 8
// input: values=hex:0500ff
#include <plumb/plumb.h>
#include <stdlib.h>

static int middle(const signed char* values) {
  int* scratch = malloc(3 * sizeof *scratch);
  if (scratch == NULL) return -1;
  for (int i = 0; i < 3; ++i) {
    if (values[i] < 0) {
#ifdef FIXED
      free(scratch);
#endif
      return -1;
    }
    scratch[i] = values[i];
  }
  int middle = scratch[1];
  free(scratch);
  return middle;
}

int main(void) {
  signed char values[3];
  plumb_symbolic(values, sizeof values, "values");
  return middle(values) > 50;
}
