// Plain characters have a sign here.
// Fails with: -5
#include <assert.h>
extern void abort(void);
extern char __VERIFIER_nondet_char(void);
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int condition) {
  if (!condition) {
    reach_error();
    abort();
  }
}

int main(void) {
  char c = __VERIFIER_nondet_char();
  int index = c;
  __VERIFIER_assert(index >= 0);
  return 0;
}
