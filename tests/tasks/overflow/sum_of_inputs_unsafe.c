// A sum of two numbers within bounds.
// Fails with: 1073741824 1073741824
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  if (x > 1073741824 || y > 1073741824 || x < -1073741824 || y < -1073741824) return 0;
  return x + y > 5;
}
