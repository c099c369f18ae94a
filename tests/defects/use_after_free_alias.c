// purpose: a second pointer into the middle of a freed object
// defect: use-after-free line 18
#include <stdlib.h>

struct record { int id; int values[4]; };
static int *favourite;

int main(void) {
  struct record *r = calloc(1, sizeof *r);
  if (!r) return 0;
  favourite = &r->values[2];
#ifdef FIXED
  int value = *favourite;
  free(r);
  return value;
#else
  free(r);
  return *favourite;
#endif
}
