// purpose: a container is freed, what it holds is not
// defect: leak line 10
#include <stdlib.h>

struct list { int *items[4]; };

int main(void) {
  struct list *l = calloc(1, sizeof *l);
  if (!l) return 0;
  l->items[2] = malloc(12);
#ifdef FIXED
  free(l->items[2]);
#endif
  free(l);
  return 0;
}
