// A label that must not be reached, in a loop with two flags.
extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
  int first = 0, second = 1;
  while (__VERIFIER_nondet_bool()) {
    if (__VERIFIER_nondet_bool()) {
      first = !first;
      second = !first;
    }
    if (first == second) goto ERROR;
  }
  return 0;
ERROR:
  return 1;
}
