// purpose: an elevator with requests, doors and an overload sensor; it must never move with open doors
#include <klee/klee.h>

enum { kFloors = 5 };
enum direction { kStill, kUp, kDown };

struct elevator {
  int floor, door_open, timer, is_overloaded, moves;
  enum direction direction;
  unsigned char calls;
};

static int has_call_above(const struct elevator* e) { return e->calls >> (e->floor + 1) != 0; }
static int has_call_below(const struct elevator* e) { return (e->calls & ((1 << e->floor) - 1)) != 0; }

static void step(struct elevator* e) {
  if (e->door_open) {
    if (e->is_overloaded) return;
    if (e->timer > 0) e->timer--;
    if (e->timer == 0) e->door_open = 0;
    return;
  }
  if (e->calls & (1 << e->floor)) {
    e->calls &= (unsigned char)~(1 << e->floor);
    e->door_open = 1;
    e->timer = 2;
    return;
  }
  if (e->direction == kUp && !has_call_above(e)) e->direction = kStill;
  if (e->direction == kDown && !has_call_below(e)) e->direction = kStill;
  if (e->direction == kStill && has_call_above(e)) e->direction = kUp;
  else if (e->direction == kStill && has_call_below(e)) e->direction = kDown;
  if (e->direction == kUp) e->floor++;
  if (e->direction == kDown) e->floor--;
  if (e->direction != kStill) {
    klee_assert(!e->door_open);
    e->moves++;
  }
}

int main(void) {
  struct elevator e = {0, 0, 0, 0, 0, kStill, 0};
  for (int i = 0; i < 40; i++) {
    unsigned char button;
    klee_make_symbolic(&button, sizeof button, "button");
    if (button < kFloors) e.calls |= (unsigned char)(1 << button);
    else if (button == 10) e.is_overloaded = 1;
    else if (button == 11) e.is_overloaded = 0;
    else if (button == 12 && e.door_open) e.timer = 4;
    else if (button == 13 && !e.door_open && e.direction == kStill) e.door_open = 1;
    else if (button == 0xff) break;
    step(&e);
    klee_assert(e.floor >= 0 && e.floor < kFloors);
    if (e.moves == 9 && e.floor == 3 && e.door_open) return 1;
  }
  if (e.moves > 12) return 2;
  klee_assert(!(e.floor == 4 && e.calls == 0x11 && e.is_overloaded));
  return 0;
}
