// purpose: two owners free the same object
// defect: double-free line 8
#include <stdlib.h>

struct owner { char *data; };

static void release(struct owner *o) {
  free(o->data);
}

int main(void) {
  struct owner a = {malloc(10)}, b = a;
  release(&a);
#ifdef FIXED
  b.data = NULL;
#endif
  release(&b);
  return 0;
}
