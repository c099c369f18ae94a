// What is taken from a store is what has been handed out.
#include <assert.h>
extern void abort(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int condition) {
  if (!condition) {
    reach_error();
    abort();
  }
}

int main(void) {
  unsigned int store = 1000, first = 0, second = 0;
  while (store > 0) {
    unsigned int part = __VERIFIER_nondet_uint();
    if (part == 0 || part > store) part = 1;
    store -= part;
    if (__VERIFIER_nondet_bool()) first += part;
    else second += part;
  }
  __VERIFIER_assert(first + second == 1000);
  return 0;
}
