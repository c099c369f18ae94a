// purpose: memory for as many bytes as there are elements
// defect: pointer-out-of-bounds line 17
#include <stdlib.h>

struct point { int x, y; };

int main(void) {
  size_t n = 5;
#ifdef FIXED
  struct point *points = malloc(n * sizeof *points);
#else
  struct point *points = malloc(n * sizeof points->x);
#endif
  if (!points) return 0;
  for (size_t i = 0; i < n; ++i) {
    points[i].x = 1;
    points[i].y = 2;
  }
  free(points);
  return 0;
}
