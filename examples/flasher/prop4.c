/* Property 4: no light stays lit. In CYCLES cycles, that is. Violated, for every number of them. */
#ifndef CYCLES
#define CYCLES 10
#endif
#include "flasher.h"

#include <assert.h>

int main(void) {
  init();
  unsigned countL = 0; /* cycles for which the left light has been lit without a break */
  unsigned countR = 0;
  for (unsigned i = 0; GOES_ON(i); i++) {
    L = nondet_in();
    if (L) R = FALSE; else R = nondet_in();
    W = nondet_in();
    LK = nondet_in();
    if (LK) ULK = FALSE; else ULK = nondet_in();
    F = nondet_in();
    f1();
    if (outL)
      countL++;
    else
      countL = 0;
    if (outR)
      countR++;
    else
      countR = 0;
  }
  assert(countL < CYCLES && countR < CYCLES);
  return 0;
}
