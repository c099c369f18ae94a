// Two lights are never green together.
// Fails with: 1 0 1 0 1 0
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

enum { RED, YELLOW, GREEN };
int main(void) {
  int north = RED, east = RED, turn = 0;
  while (1) {
    int is_waiting = __VERIFIER_nondet_bool();
    if (north == GREEN && is_waiting) north = YELLOW;
    else if (north == YELLOW) { north = RED; turn = 1; }
    else if (north == RED && east == RED && turn == 0) north = GREEN;
    int is_waiting_east = __VERIFIER_nondet_bool();
    if (east == GREEN && is_waiting_east) east = YELLOW;
    else if (east == YELLOW) { east = RED; turn = 0; }
    else if (east == RED && north <= YELLOW || east == RED && turn == 1) east = GREEN;
    __VERIFIER_assert(north != GREEN || east != GREEN);
    __VERIFIER_assert(north == RED || east == RED);
  }
  return 0;
}
