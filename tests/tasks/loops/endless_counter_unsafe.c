// A counter that is taken back at its limit stays below it, without end.
// Fails with: no input
#include <assert.h>
extern void abort(void);
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int condition) {
  if (!condition) {
    reach_error();
    abort();
  }
}

int main(void) {
  unsigned int x = 0;
  while (1) {
    x = x + 1;
    if (x == 200) x = 0;
    __VERIFIER_assert(x != 199 && x < 200);
  }
  return 0;
}
