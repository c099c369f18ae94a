// purpose: an inner array of a heap structure is left towards the next member
// defect: array-out-of-bounds line 13
#include <stdlib.h>

struct inner { short low[4], high[4]; };
struct outer { int id; struct inner parts[2]; };

static int sum(const struct outer *o, int part) {
  int total = 0;
#ifdef FIXED
  for (int i = 0; i < 4; ++i) total += o->parts[part].low[i];
#else
  for (int i = 0; i < 8; ++i) total += o->parts[part].low[i];
#endif
  return total;
}

int main(void) {
  struct outer *o = calloc(1, sizeof *o);
  if (!o) return 0;
  int total = sum(o, 0);
  free(o);
  return total;
}
