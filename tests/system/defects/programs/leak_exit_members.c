// purpose: at the end the arrays of a struct are given back, but not the second one
// defect: leak line 23
// input: kind=2
#include <plumb/plumb.h>
#include <stdlib.h>

struct mesh {
  float* points;
  int* edges;
};

static void release(struct mesh* mesh) {
  free(mesh->points);
#ifdef FIXED
  free(mesh->edges);
#endif
}

int main(void) {
  struct mesh mesh = {NULL, NULL};
  int kind = plumb_symbolic_int("kind");
  if (kind >= 1) mesh.points = calloc(3, sizeof *mesh.points);
  if (kind >= 2) mesh.edges = calloc(2, sizeof *mesh.edges);
  release(&mesh);
  return mesh.points != NULL;
}
