// An error that only comes after a few hundred rounds.
// Fails with: 300*1
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
void reach_error(void) { assert(0); }

int main(void) {
  unsigned int round = 0;
  while (__VERIFIER_nondet_bool()) {
    round++;
    if (round == 300) reach_error();
  }
  return 0;
}
