// A product computed in a wider type.
// Fails with: 65536 65536
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  long long product = x * y;
  return product > 100;
}
