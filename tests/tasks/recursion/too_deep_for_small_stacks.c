// An error that stands forty calls deep.
// Fails with: 40*1
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
void reach_error(void) { assert(0); }

void dig(int depth) {
  if (depth == 40) reach_error();
  if (__VERIFIER_nondet_bool()) dig(depth + 1);
}

int main(void) {
  dig(0);
  return 0;
}
