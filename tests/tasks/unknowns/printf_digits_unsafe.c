// printf() gives the number of characters: that of digits, and the end of the line.
// Fails with: 100
#include <stdio.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void);

int main(void) {
  int value = __VERIFIER_nondet_int();
  if (value >= 10 && value <= 100) {
    int count = printf("%d\n", value);
    if (count != 3) reach_error();
  }
  return 0;
}
