// purpose: a path is shortened by its root and by its last slash; only then it is not what was allocated
// defect: invalid-free line 23
// input: is_rooted=1 depth=2
#include <plumb/plumb.h>
#include <stdlib.h>
#include <string.h>

static char* whole;

int main(void) {
  whole = malloc(8);
  if (whole == NULL) return 1;
  strcpy(whole, "/usr");
  char* path = whole;
  int depth = plumb_symbolic_int("depth");
  if (plumb_symbolic_int("is_rooted")) {
    if (depth == 2) path = whole + 1;
  }
  int first = path[0];
#ifdef FIXED
  path = whole;
#endif
  free(path);
  return first == 'u';
}
