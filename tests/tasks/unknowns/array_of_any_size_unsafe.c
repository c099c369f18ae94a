// An array of variable length ends where an input says.
// Fails with: 5 5
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned count = __VERIFIER_nondet_uint(), at = __VERIFIER_nondet_uint();
  if (count == 0 || count > 500) return 0;
  int numbers[count];
  numbers[0] = 1;
  if (at <= count) numbers[at] = 2;
  return numbers[0] - 1;
}
