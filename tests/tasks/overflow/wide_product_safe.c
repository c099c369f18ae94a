// A product computed in a wider type.
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  long long product = (long long)x * y;
  return product > 100;
}
