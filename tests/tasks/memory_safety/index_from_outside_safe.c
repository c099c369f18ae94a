// An index is checked at both ends.
extern int __VERIFIER_nondet_int(void);

static int table[16];
int main(void) {
  int index = __VERIFIER_nondet_int();
  if (index < 0 || index >= 16) return 0;
  table[index] = 1;
  return 0;
}
