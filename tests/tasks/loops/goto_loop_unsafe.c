// A loop made of jumps, with an entry in its middle.
// Fails with: 1
#include <assert.h>
extern void abort(void);
extern _Bool __VERIFIER_nondet_bool(void);
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int condition) {
  if (!condition) {
    reach_error();
    abort();
  }
}

int main(void) {
  int x = 0, y = 0;
  if (__VERIFIER_nondet_bool()) goto middle;
head:
  x = x + 1;
middle:
  y = y + 1;
  if (y < 20) goto head;
  __VERIFIER_assert(x == y || x + 1 == y + 1);
  return 0;
}
