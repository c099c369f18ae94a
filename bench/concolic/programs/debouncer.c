// purpose: two buttons are sampled; bounces are filtered, and short, long and double presses are told apart by conditions on counters
#include <assert.h>
#include <plumb/plumb.h>

struct button {
  int level, stable, same, held, gap, clicks;
};

enum event { kNothing, kClick, kDouble, kLong };

static int sample(struct button* b, int raw) {
  int event = kNothing;
  b->same = raw == b->level ? b->same + 1 : 0;
  b->level = raw;
  if (b->same >= 2 && b->stable != raw) {
    b->stable = raw;
    if (raw) {
      b->held = 0;
    } else {
      if (b->held < 6) b->clicks++;
      b->gap = 0;
    }
  }
  if (b->stable) {
    b->held++;
    if (b->held == 6) event = kLong;
  } else {
    b->gap++;
    if (b->clicks == 2) {
      event = kDouble;
      b->clicks = 0;
    }
    if (b->clicks == 1 && b->gap > 5) {
      event = kClick;
      b->clicks = 0;
    }
  }
  return event;
}

int main(void) {
  struct button up = {0, 0, 0, 0, 0, 0}, down = {0, 0, 0, 0, 0, 0};
  int level = 5, is_locked = 0, ticks = 0;
  for (;;) {
    unsigned char pins = plumb_nondet_uchar();
    if (pins & 0x80) return level;
    if (++ticks > 80) return 100;
    int a = sample(&up, pins & 1), b = sample(&down, pins >> 1 & 1);
    if (a == kLong && b == kLong) is_locked = !is_locked;
    if (is_locked) {
      if (a == kDouble) return 101;
      continue;
    }
    if (a == kClick) level++;
    if (b == kClick) level--;
    if (a == kDouble) level += 10;
    if (b == kDouble) level = 0;
    if (a == kLong) assert(level != 16);
    if (level < 0) return 102;
    if (level > 30) return 103;
  }
}
