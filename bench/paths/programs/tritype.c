/* Tritype: what kind of triangle three sides make. The program counts equal pairs; the postcondition says the kinds by definition.
 * -DWRONG compares the last pair of sides with the wrong number. */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);

enum kind { Scalene = 1, Isosceles = 2, Equilateral = 3, NoTriangle = 4 };

#ifdef WRONG
#define LAST_PAIR 2
#else
#define LAST_PAIR 3
#endif

static int tritype(int i, int j, int k) {
  int trityp;
  if (i == 0 || j == 0 || k == 0) return NoTriangle;
  trityp = 0;
  if (i == j) trityp = trityp + 1;
  if (i == k) trityp = trityp + 2;
  if (j == k) trityp = trityp + 3;
  if (trityp == 0) {
    if (i + j <= k || j + k <= i || i + k <= j) return NoTriangle;
    return Scalene;
  }
  if (trityp > 3) return Equilateral;
  if (trityp == 1 && i + j > k) return Isosceles;
  if (trityp == 2 && i + k > j) return Isosceles;
  if (trityp == LAST_PAIR && j + k > i) return Isosceles;
  return NoTriangle;
}

int main(void) {
  int i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int();
  /* Sides are not negative, and their sums fit. */
  __VERIFIER_assume(i >= 0 && j >= 0 && k >= 0 && i < 1 << 30 && j < 1 << 30 && k < 1 << 30);
  int kind = tritype(i, j, k);
  int is_triangle = i + j > k && j + k > i && i + k > j;
  assert(kind == NoTriangle || kind == Scalene || kind == Isosceles || kind == Equilateral);
  assert((kind == NoTriangle) == !is_triangle);
  assert((kind == Equilateral) == (is_triangle && i == j && j == k));
  assert((kind == Isosceles) == (is_triangle && (i == j || j == k || i == k) && !(i == j && j == k)));
  assert((kind == Scalene) == (is_triangle && i != j && j != k && i != k));
  return 0;
}
