// Two loops one after the other give each other what they count.
// Fails with: 14
#include <assert.h>
extern void abort(void);
extern unsigned int __VERIFIER_nondet_uint(void);
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int condition) {
  if (!condition) {
    reach_error();
    abort();
  }
}

int main(void) {
  unsigned int n = __VERIFIER_nondet_uint(), up = 0, down;
  while (up < n) up++;
  down = up;
  unsigned int steps = 0;
  while (down > 0) {
    down--;
    steps++;
    if (down == 13) steps++;
  }
  __VERIFIER_assert(steps == n);
  return 0;
}
