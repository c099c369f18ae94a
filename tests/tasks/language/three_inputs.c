// Two inputs and what comes of them in a row.
// Fails with: 19088743 0
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { assert(0); }

int main(void) {
  int a[3];
  a[0] = __VERIFIER_nondet_int();
  a[1] = __VERIFIER_nondet_int();
  a[2] = a[0] ^ a[1];
  if (a[2] == 0x1234567) reach_error();
  return 0;
}
