// purpose: many calls of functions with variables behind pointers use the same places again and again
#include <plumb/plumb.h>

struct point {
  int x, y;
};

static void move(struct point* point, int by) {
  struct point old = *point;
  struct point* const from = &old;
  point->x = from->y + by;
  point->y = from->x;
}

static int walk(int steps) {
  struct point point = {1, 0};
  int checksum[4] = {0};
  for (int i = 0; i < steps; ++i) {
    move(&point, i & 1);
    checksum[i & 3] ^= point.x;
  }
  return checksum[0] + point.y;
}

int main(void) {
  int steps = plumb_symbolic_uchar("steps") % 4;
  int total = 0;
  for (int i = 0; i < 20000; ++i) total ^= walk(steps + i % 3);
  return total == 77;
}
