// quick_exit() calls functions of its own, and not those of atexit().
// Fails with: no input
#include <stdlib.h>
void reach_error(void);

static int called;
static void quick(void) {
  called++;
  if (called == 1) reach_error();
}
static void slow(void) { reach_error(); }

int main(void) {
  atexit(slow);
  at_quick_exit(quick);
  quick_exit(0);
}
