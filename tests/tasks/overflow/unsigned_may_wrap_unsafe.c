// Numbers without a sign may go round.
// Fails with: no input
extern unsigned int __VERIFIER_nondet_uint(void);
extern short __VERIFIER_nondet_short(void);

int main(void) {
  unsigned int x = __VERIFIER_nondet_uint();
  for (int i = 0; i < 10; i++) x = x * 3 + 1;
  int z = 2147450881;
  z = z + 32767;
  int y = __VERIFIER_nondet_short();
  y = y + 32767;
  return y < 0 && x == 0;
}
