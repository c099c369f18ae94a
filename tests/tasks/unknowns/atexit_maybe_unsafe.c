// Whether it is registered depends on an input.
// Fails with: 1
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void);

static int count;
static void check(void) {
  count++;
  if (count == 1) reach_error();
}

int main(void) {
  if (__VERIFIER_nondet_int() == 1) atexit(check);
  return 0;
}
