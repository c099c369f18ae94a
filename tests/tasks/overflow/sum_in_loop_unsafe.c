// A sum of bytes in a loop of bounded length.
// Fails with: 2 2147483647 1
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);

int main(void) {
  int sum = 0;
  unsigned int n = __VERIFIER_nondet_uint();
  if (n > 100) return 0;
  for (unsigned int i = 0; i < n; i++) sum += __VERIFIER_nondet_int();
  return sum > 50;
}
