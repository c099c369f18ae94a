// Floating point arithmetic decides the assertion.
#include <assert.h>
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int condition) {
  if (!condition) {
    reach_error();
    abort();
  }
}

int main(void) {
  float x = (float)__VERIFIER_nondet_int();
  float y = x + 1.0f;
  __VERIFIER_assert(y >= x);
  return 0;
}
