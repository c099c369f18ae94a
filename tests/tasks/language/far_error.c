// An error behind many rounds that do nothing.
// Fails with: 3
#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) { assert(0); }

int main(void) {
  unsigned int i = 0;
  while (i < 100000) i++;
  if (__VERIFIER_nondet_uchar() == 3) reach_error();
  return 0;
}
