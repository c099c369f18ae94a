// A machine of four states in a switch goes round.
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
void reach_error(void) { assert(0); }

int main(void) {
  int state = 0, rounds = 0;
  while (rounds < 30) {
    switch (state) {
      case 0: state = 1; break;
      case 1: state = __VERIFIER_nondet_bool() ? 2 : 0; break;
      case 2: state = 3; break;
      case 3: rounds++; state = 0; break;
      default: reach_error();
    }
  }
  return 0;
}
