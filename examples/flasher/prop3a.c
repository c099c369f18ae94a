/* Property 3a: while F is off, the lights show what the key asks for and nothing else. The key is not pressed again before a function
 * that it started has come to its end. */
#include "flasher.h"

#include <assert.h>

int main(void) {
  init();
  _Bool doorsLocked = TRUE;
  _Bool oldLK = FALSE;
  _Bool LKon = FALSE;       /* a function of the lock button is active */
  _Bool LK_on_lkd = TRUE;   /* it began with locked doors */
  int countLK = -1;         /* cycles since then */
  _Bool oldULK = FALSE;
  _Bool ULKon = FALSE;      /* likewise of the unlock button */
  _Bool ULK_on_lkd = TRUE;
  int countULK = -1;
  for (unsigned i = 0; GOES_ON(i); i++) {
    F = nondet_in();
    W = nondet_in();
    L = nondet_in();
    if (L) R = FALSE; else R = nondet_in();
    if (!LKon && !ULKon) {
      oldLK = LK;
      LK = nondet_in();
      oldULK = ULK;
      if (LK) ULK = FALSE; else ULK = nondet_in();
      if (LK && !oldLK) {
        LKon = TRUE;
        countLK = -1;
        if (!doorsLocked) {
          LK_on_lkd = FALSE;
          doorsLocked = TRUE;
        } else {
          LK_on_lkd = TRUE;
        }
      }
      if (ULK && !oldULK) {
        ULKon = TRUE;
        countULK = -1;
        if (!doorsLocked) {
          ULK_on_lkd = FALSE;
        } else {
          ULK_on_lkd = TRUE;
          doorsLocked = FALSE;
        }
      }
    }
    if (LKon) countLK++;
    if (ULKon) countULK++;
    f1();
    if (!F) {
      if (!LKon && !ULKon) {
        assert(outL == FALSE && outR == FALSE);
      } else if (LKon) {
        if (!LK_on_lkd && countLK >= 2) { /* ten on, ten off */
          if (countLK <= 11)
            assert(outL == TRUE && outR == TRUE);
          else
            assert(outL == FALSE && outR == FALSE);
        }
        if (LK_on_lkd && countLK >= 1) { /* 1010… */
          if (countLK % 2 != 0)
            assert(outL == TRUE && outR == TRUE);
          else
            assert(outL == FALSE && outR == FALSE);
        }
      } else {
        if (!ULK_on_lkd && countULK >= 1) assert(outL == FALSE && outR == FALSE);
        if (ULK_on_lkd && countULK >= 1) { /* 0101… */
          if (countULK % 2 == 0)
            assert(outL == TRUE && outR == TRUE);
          else
            assert(outL == FALSE && outR == FALSE);
        }
      }
    }
    if (LKon) {
      if (!LK_on_lkd && countLK == 22) LKon = FALSE;
      if (LK_on_lkd && countLK == 60) LKon = FALSE;
    }
    if (ULKon) {
      if (!ULK_on_lkd && countULK == 2) ULKon = FALSE;
      if (ULK_on_lkd && countULK == 20) ULKon = FALSE;
    }
  }
  return 0;
}
