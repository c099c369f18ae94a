// putchar() gives what it wrote: a byte.
#include <stdio.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void);

int main(void) {
  int value = __VERIFIER_nondet_int();
  if (value < 0) return 0;
  int written = putchar(value);
  if (written != (value & 0xff)) reach_error();
  return 0;
}
