// snprintf() gives the length that there is, however much fits.
// Fails with: 100
#include <stdio.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void);

int main(void) {
  char text[3];
  int length = snprintf(text, sizeof text, "%d", __VERIFIER_nondet_uchar());
  if (length > 2) reach_error();
  if (text[2] != 0 && length >= 2) reach_error();
  return 0;
}
