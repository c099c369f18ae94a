// A label that must not be reached, in a loop with two flags.
// Fails with: 1 1 1
extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
  int first = 0, second = 1;
  while (__VERIFIER_nondet_bool()) {
    if (__VERIFIER_nondet_bool()) {
      first = !first;
      second = !first || __VERIFIER_nondet_bool();
    }
    if (first == second) goto ERROR;
  }
  return 0;
ERROR:
  return 1;
}
