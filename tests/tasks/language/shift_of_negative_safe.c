// A shift to the right keeps the sign; one of a number without sign does not.
#include <assert.h>
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int condition) {
  if (!condition) {
    reach_error();
    abort();
  }
}

int main(void) {
  int x = __VERIFIER_nondet_int();
  unsigned int u = (unsigned int)x;
  if (x < 0) __VERIFIER_assert((x >> 31) == -1 && (u >> 31) == 1);
  return 0;
}
