// A minus sign is a character more.
// Fails with: -2147483648
#include <stdio.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void);

int main(void) {
  int count = printf("%d", __VERIFIER_nondet_int());
  if (!(count <= 10)) reach_error();
  return 0;
}
