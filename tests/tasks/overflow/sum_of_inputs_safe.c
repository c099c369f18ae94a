// A sum of two numbers within bounds.
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  if (x > 1073741823 || y > 1073741823 || x < -1073741823 || y < -1073741823) return 0;
  return x + y > 5;
}
