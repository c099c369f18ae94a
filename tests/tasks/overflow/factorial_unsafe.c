// A factorial while it fits.
// Fails with: 13
extern unsigned int __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned int n = __VERIFIER_nondet_uint();
  if (n > 13) return 0;
  int product = 1;
  for (unsigned int i = 2; i <= n; i++) product *= (int)i;
  return product > 0 ? 0 : 1;
}
