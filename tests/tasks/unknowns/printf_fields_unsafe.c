// Fields have a width, text a precision, hexadecimal digits are fewer.
// Fails with: no input
#include <stdio.h>
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void);

int main(void) {
  unsigned value = __VERIFIER_nondet_uint();
  int count = printf("%4u|%.2s|%5x", value % 100, "three", value & 0xffff);
  if (count != 12) reach_error();
  return 0;
}
