// purpose: a pointer to a variable of the branch that was taken is used behind it
// defect: use-after-scope line 19
// input: mode=2
#include <plumb/plumb.h>

int main(void) {
  int mode = plumb_symbolic_int("mode");
  int x = 1, *limit = &x;
#ifdef FIXED
  int chosen;
#endif
  if (mode == 2) {
#ifndef FIXED
    int chosen;
#endif
    chosen = mode;
    limit = &chosen;
  }
  if (*limit < 3) return 1;
  return 0;
}
