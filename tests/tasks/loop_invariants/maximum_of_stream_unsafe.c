// The greatest of a stream is not smaller than any that came, of which one is remembered.
// Fails with: 100 1 77 0
#include <assert.h>
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int condition) {
  if (!condition) {
    reach_error();
    abort();
  }
}

int main(void) {
  int greatest = __VERIFIER_nondet_int(), remembered = greatest;
  while (__VERIFIER_nondet_bool()) {
    int value = __VERIFIER_nondet_int();
    if (value > greatest) greatest = value;
    if (__VERIFIER_nondet_bool()) remembered = value;
    else if (value == 77) greatest = value;
    __VERIFIER_assert(remembered <= greatest);
  }
  return 0;
}
