// An elevator moves with its door shut.
// Fails with: -5 1 -5 5 5 13 6 -6 -4 12 8 8 -6 -6 11 -1 6 3 11
#include <assert.h>
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int condition) {
  if (!condition) {
    reach_error();
    abort();
  }
}

int main(void) {
  int floor = 0, wanted = 0, is_door_open = 0, wait = 0;
  while (1) {
    if (floor == wanted) {
      if (!is_door_open && wait == 0) {
        is_door_open = 1;
        wait = 3;
      } else if (wait > 0) {
        wait--;
      } else {
        wanted = __VERIFIER_nondet_int();
        if (wanted < 0 || wanted > 9) wanted = floor;
        if (wanted != floor) is_door_open = 0;
      }
    } else {
      __VERIFIER_assert(!is_door_open);
      floor += floor < wanted ? 1 : -1;
      if (floor == 7 && __VERIFIER_nondet_bool()) is_door_open = 1;
    }
    __VERIFIER_assert(floor >= 0 && floor <= 9);
    if (is_door_open && floor == wanted && wait == 0 && __VERIFIER_nondet_bool()) is_door_open = 0;
  }
  return 0;
}
