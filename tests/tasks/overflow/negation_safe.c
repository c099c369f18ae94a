// The least number has no negative.
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x < 0 && x > -2147483647 - 1) x = -x;
  return 0;
}
