// What stands behind an endless loop is not reached.
#include <assert.h>
extern unsigned int __VERIFIER_nondet_uint(void);
void reach_error(void) { assert(0); }

int main(void) {
  unsigned int x = __VERIFIER_nondet_uint();
  for (;;) x = x * 3 + 1;
  reach_error();
  return 0;
}
