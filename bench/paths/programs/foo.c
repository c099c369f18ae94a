/* Program foo of figure 1 of Collavizza, Vinh, Ponsini, Rueher and Rollet, "Constraint-based BMC: a backjumping strategy". The first
 * property is violated by a = b = -1 among others; the second is violated, too. */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static void foo(int a, int b) {
  int c, d, e, f;
  if (a >= 0) {
    if (a < 10) {
      f = b - 1;
    } else {
      f = b - a;
    }
    c = a;
    if (b >= 0) {
      d = a;
      e = b;
    } else {
      d = a;
      e = -b;
    }
  } else {
    c = b;
    d = 1;
    e = -a;
    if (a > b) {
      f = b + e + a;
    } else {
      f = e * a - b;
    }
  }
  c = c + d + e;
  assert(c >= d + e);   /* property p_1 */
  assert(f >= -b * e); /* property p_2 */
}

int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
  foo(a, b);
  return 0;
}
