// purpose: compound literals and designated initialisers, nested, with ranges, in static storage
#include <stdio.h>
#include <string.h>

struct point { int x, y; };
struct line { struct point from, to; const char *name; };

static const int sparse[] = {[2] = 5, [7] = 9, 10, [0] = 1, [4 ... 5] = 3};
static struct line lines[] = {
    [1] = {.to = {.y = 4}, .name = "second"},
    [0] = {{1, 2}, {3, 4}, "first"},
    [2] = {.from.x = 9, .from.y = 8, .name = (char[]){"third"}},
};
static const char *const colours[] = {[2] = "blue", [0] = "red", [1] = "green"};
static int *const shared = (int[]){7, 8, 9};

static int manhattan(const struct point *p) { return p->x + p->y; }
static int total(const int *values, int count) {
  int sum = 0;
  while (count--) sum += *values++;
  return sum;
}

int main(void) {
  for (unsigned i = 0; i < sizeof sparse / sizeof *sparse; ++i) printf("%d ", sparse[i]);
  printf("\n");
  for (int i = 0; i < 3; ++i) printf("%s %d %d %d %d\n", lines[i].name, lines[i].from.x, lines[i].from.y, lines[i].to.x, lines[i].to.y);
  for (int i = 0; i < 3; ++i) printf("%s ", colours[i]);
  shared[1] += 100;
  printf("%d\n", total(shared, 3));
  int sum = 0;
  for (int i = 0; i < 4; ++i) {
    struct point *p = &(struct point){.y = i * 2, .x = i};
    p->x += 1;
    sum += manhattan(p);
  }
  printf("%d %d\n", sum, total((int[]){1, 2, 3, 4}, 4));
  struct line copy = (struct line){.name = "copy", .to = lines[0].to};
  copy = (struct line){copy.to, copy.from, copy.name};
  printf("%s %d %d %d\n", copy.name, copy.from.x, copy.from.y, copy.to.x);
  union { int n; char c[4]; } u = {.c = {1, 2}};
  struct { int grid[2][3]; } g = {.grid = {[1] = {4, 5, 6}, [0][1] = 2}};
  printf("%d %d %d %d\n", u.n, g.grid[0][1], g.grid[1][0], g.grid[1][2]);
  return manhattan(&(struct point){40, 2});
}
