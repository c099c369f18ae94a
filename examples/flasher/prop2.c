/* Property 2: when the warning is over, the lever's function resumes as if it had never been interrupted. Counts are kept modulo a
 * period, so that a run may be endless. */
#include "flasher.h"

#include <assert.h>

#define NEXT(count) (((count) + 1) % 6)

int main(void) {
  init();
  LK = FALSE;
  ULK = FALSE;
  F = TRUE;
  _Bool oldW;
  _Bool Won = FALSE; /* the warning is on */
  int countR = -1;   /* cycles since R was on */
  int countL = -2;   /* likewise of L, a cycle later */
  for (unsigned i = 0; GOES_ON(i); i++) {
    L = nondet_in();
    if (L) R = FALSE; else R = nondet_in();
    if (R) countR = NEXT(countR); else countR = -1;
    if (L) countL = NEXT(countL); else countL = -2;
    oldW = W;
    W = nondet_in();
    if (W && !oldW) Won = !Won;
    f1();
    /* The warning begins while the lever stands to a side: on until it is over. */
    if ((Won && R) || (Won && L)) {
      for (unsigned j = 0; GOES_ON(j) && Won; j++) {
        L = nondet_in();
        if (L) R = FALSE; else R = nondet_in();
        if (R) countR = NEXT(countR); else countR = -1;
        if (L) countL = NEXT(countL); else countL = -2;
        oldW = W;
        W = nondet_in();
        if (W && !oldW) Won = !Won;
        f1();
      }
    }
    if (!Won && R) {
      if ((countR / 3) % 2 == 0)
        assert(outL == FALSE && outR == TRUE);
      else
        assert(outL == FALSE && outR == FALSE);
    }
    if (!Won && L) {
      if (countL == -1 || (countL / 3) % 2 == 0)
        assert(outL == TRUE && outR == FALSE);
      else
        assert(outL == FALSE && outR == FALSE);
    }
  }
  return 0;
}
