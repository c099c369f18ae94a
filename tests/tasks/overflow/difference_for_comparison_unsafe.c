// Numbers are compared, not subtracted.
// Fails with: -2147483648 1
extern int __VERIFIER_nondet_int(void);

static int compare(int x, int y) { return x - y; }

int main(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  return compare(x, y) < 0;
}
