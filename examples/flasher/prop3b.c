/* Property 3b: while F is off, no light is lit by the lever or the warning. The key is left out. */
#include "flasher.h"

#include <assert.h>

int main(void) {
  init();
  LK = FALSE;
  ULK = FALSE;
  for (unsigned i = 0; GOES_ON(i); i++) {
    F = nondet_in();
    L = nondet_in();
    if (L) R = FALSE; else R = nondet_in();
    W = nondet_in();
    f1();
    if (!F) assert(outL == FALSE && outR == FALSE);
  }
  return 0;
}
