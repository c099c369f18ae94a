// purpose: the address of a local variable is kept in a global and used after the return
// defect: use-after-return line 21
// input: mode=2
#include <plumb/plumb.h>

static int fallback = 5;
static int* limit = &fallback;

static void configure(int mode) {
#ifdef FIXED
  static int chosen;
#else
  int chosen;
#endif
  chosen = mode / 2;
  if (mode == 2) limit = &chosen;
}

int main(void) {
  configure(plumb_symbolic_int("mode"));
  if (*limit < 3) return 1;
  return 0;
}
