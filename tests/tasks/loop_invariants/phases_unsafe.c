// A number rises slowly, then fast, and is even behind the turn.
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
  while (x < 0x0fffffffu) {
    if (x < 0xfff1) x++;
    else x += 2;
  }
  __VERIFIER_assert(x % 2 == 0);
  return 0;
}
