// A bit-field that nothing set may be zero.
// Fails with: no input
// Uninitialised: zeros
#include <assert.h>
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { assert(0); }

struct bits {
  unsigned a : 3, b : 5, c : 9;
};
int main(void) {
  struct bits s;
  s.a = 5;
  if (s.a == 5 && s.b == 0) reach_error();
  return 0;
}
