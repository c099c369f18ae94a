// purpose: what calls on the stack hold when the program ends by exit() is no leak
#include <plumb/plumb.h>
#include <stdlib.h>
static void deep(char *held, int n) {
  char *mine = malloc(5);
  if (!mine) return;
  mine[0] = held[0];
  if (n == 0) exit(3);
  deep(mine, n - 1);
  free(mine);
}
int main(void) {
  char *p = malloc(3);
  if (!p) return 1;
  p[0] = 1;
  int n = plumb_symbolic_uchar("n") % 3;
  deep(p, n == 2 ? 2 : n);
  free(p);
  return 0;
}
