// The least number has no negative.
// Fails with: -2147483648
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x < 0) x = -x;
  return 0;
}
