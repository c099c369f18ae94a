// purpose: of two results only the one that is printed is given back
// defect: leak line 11
// input: wants_sum=1 is_quiet=1
#include <plumb/plumb.h>
#include <stdlib.h>

int main(void) {
  int wants_sum = plumb_symbolic_int("wants_sum"), is_quiet = plumb_symbolic_int("is_quiet");
  long* sum = NULL;
  if (wants_sum) {
    sum = malloc(sizeof *sum);
    if (sum == NULL) return 1;
    *sum = 42;
  }
  if (is_quiet) {
#ifdef FIXED
    free(sum);
#endif
    return 0;
  }
  int code = sum != NULL && *sum == 42;
  free(sum);
  return code;
}
