// The square of a bounded number.
// Fails with: 46341
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x < -46341 || x > 46341) return 0;
  int square = x * x;
  return square < 0;
}
