// A pointer walks to the end of a row and the difference counts.
#include <assert.h>
extern void abort(void);
extern short __VERIFIER_nondet_short(void);
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int condition) {
  if (!condition) {
    reach_error();
    abort();
  }
}

int main(void) {
  short row[9], *p = row, *end = row + 9;
  while (p != end) *p++ = __VERIFIER_nondet_short();
  p = row;
  while (p < end && *p != 5) p++;
  long places = p - row;
  __VERIFIER_assert(places == 9 || row[places] == 5);
  __VERIFIER_assert(places >= 0 && places <= 9);
  return 0;
}
