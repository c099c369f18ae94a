// purpose: structs are given and returned by value, compared bytewise and copied with their padding
#include <plumb/plumb.h>
#include <string.h>

struct shape {
  char kind;
  double area;
  short edges[3];
};

static struct shape scaled(struct shape shape, int factor) {
  struct shape made = shape;
  made.area *= factor;
  for (int i = 0; i < 3; ++i) made.edges[i] = (short)(shape.edges[i] * factor);
  return made;
}

int main(void) {
  struct shape shapes[3];
  memset(shapes, 0, sizeof shapes);
  int factor = plumb_symbolic_uchar("factor") % 8;
  shapes[0] = (struct shape){'t', 6.0, {3, 4, 5}};
  shapes[1] = scaled(shapes[0], factor);
  memcpy(&shapes[2], &shapes[1], sizeof shapes[2]);
  if (memcmp(&shapes[1], &shapes[2], sizeof shapes[1]) != 0) return 1;
  if (shapes[2].edges[2] == 25) return 2;
  return 0;
}
