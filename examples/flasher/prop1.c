/* Property 1: the warning has priority over other flashing functions. Violated: the key has priority over it. */
#include "flasher.h"

#include <assert.h>

int main(void) {
  init();
  f1();
  F = TRUE;
  _Bool oldW;
  _Bool Won = FALSE; /* the warning is on */
  int count = 0;     /* cycles since then */
  for (unsigned i = 0; GOES_ON(i); i++) {
    L = nondet_in();
    if (L) R = FALSE; else R = nondet_in();
    LK = nondet_in();
    if (LK) ULK = FALSE; else ULK = nondet_in();
    oldW = W;
    W = nondet_in();
    if (W && !oldW) {
      count = 0;
      Won = !Won;
    }
    f1();
    if (Won) {
      if ((count / 3) % 2 == 0)
        assert(outL == TRUE && outR == TRUE);
      else
        assert(outL == FALSE && outR == FALSE);
      count++;
    }
  }
  return 0;
}
