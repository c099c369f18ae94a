// Numbers are compared, not subtracted.
extern int __VERIFIER_nondet_int(void);

static int compare(int x, int y) { return (x > y) - (x < y); }

int main(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  return compare(x, y) < 0;
}
