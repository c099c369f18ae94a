// An elevator moves with its door shut.
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
      if (floor == wanted && floor == 20) is_door_open = 1;
    }
    __VERIFIER_assert(floor >= 0 && floor <= 9);
    if (is_door_open && floor == wanted && wait == 0 && __VERIFIER_nondet_bool()) is_door_open = 0;
  }
  return 0;
}
