// Peterson's algorithm, with the order of steps chosen from outside, keeps two out of one section.
#include <assert.h>
extern void abort(void);
extern _Bool __VERIFIER_nondet_bool(void);
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int condition) {
  if (!condition) {
    reach_error();
    abort();
  }
}

int main(void) {
  int place[2] = {0, 0};
  _Bool wants[2] = {0, 0};
  int turn = 0;
  while (1) {
    int me = __VERIFIER_nondet_bool(), other = 1 - me;
    switch (place[me]) {
      case 0: wants[me] = 1; place[me] = 1; break;
      case 1: turn = other; place[me] = 2; break;
      case 2: if (!wants[other] || turn == me) place[me] = 3; break;
      default: wants[me] = 0; place[me] = 0;
    }
    __VERIFIER_assert(place[0] != 3 || place[1] != 3);
  }
  return 0;
}
