// exit() calls the functions too, from wherever it is called.
// Fails with: 5
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void);

static int state;
static void check(void) {
  if (state > 0) reach_error();
}
static void stop(int depth) {
  if (depth == 0) exit(1);
  stop(depth - 1);
}

int main(void) {
  atexit(check);
  int depth = __VERIFIER_nondet_int();
  if (depth < 0 || depth > 5) return 0;
  if (depth == 5) state = 1;
  if (depth < 5) exit(0);
  return state - 1;
}
