// Counters in steps of one, two and three keep their ratio.
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
  unsigned int i = 0, j = 0, k = 0;
  while (k < 0x0fffffffu) {
    i = i + 1;
    j = j + 2;
    k = k + 3;
    __VERIFIER_assert(k == i + j && j == (i < 50 ? 2 * i : 100));
  }
  return 0;
}
