// A sum of bytes in a loop of bounded length.
extern unsigned int __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
  int sum = 0;
  unsigned int n = __VERIFIER_nondet_uint();
  if (n > 100) return 0;
  for (unsigned int i = 0; i < n; i++) sum += __VERIFIER_nondet_uchar();
  return sum > 50;
}
