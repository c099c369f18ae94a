// A sum that stops at the limits is between them and exact inside.
#include <assert.h>
extern void abort(void);
extern signed char __VERIFIER_nondet_schar(void);
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int condition) {
  if (!condition) {
    reach_error();
    abort();
  }
}

signed char sum(signed char x, signed char y) {
  int exact = x + y;
  if (exact > 127) return 127;
  if (exact < -128) return -128;
  return (signed char)exact;
}

int main(void) {
  signed char x = __VERIFIER_nondet_schar();
  signed char y = __VERIFIER_nondet_schar();
  signed char s = sum(x, y);
  if (x >= 0 && y >= 0) __VERIFIER_assert(s >= x && s >= y);
  if (x < 0 && y < 0) __VERIFIER_assert(s <= x && s <= y);
  return 0;
}
