// One goes up, one goes down, their sum is kept; the bound is an input.
#include <assert.h>
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { assert(0); }
void assume_abort_if_not(int condition) {
  if (!condition) abort();
}
void __VERIFIER_assert(int condition) {
  if (!condition) {
    reach_error();
    abort();
  }
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  assume_abort_if_not(n >= 0 && n <= 1000000);
  int i = 0, j = n;
  while (i < n) {
    __VERIFIER_assert(i + j == n);
    i++;
    j -= 1;
  }
  __VERIFIER_assert(j == 0);
  return 0;
}
