// purpose: a watchdog that is configured by writing a sequence of keys, one a tick; every wrong key starts the sequence again
#include <assert.h>
#include <plumb/plumb.h>

static const unsigned char keys[] = {0x55, 0xaa, 0x0f, 0xf0, 0x3c, 0xc3, 0x69, 0x96};

int main(void) {
  unsigned step = 0, ticks = 0, kicks = 0;
  int unlocked = 0, window_open = 0;
  unsigned period = 16;
  for (;;) {
    unsigned char key;
    plumb_symbolic(&key, sizeof key, "key");
    ticks++;
    if (!unlocked) {
      if (key == keys[0] && step == 0) step = 1;
      else if (key == keys[1] && step == 1) step = 2;
      else if (key == keys[2] && step == 2) step = 3;
      else if (key == keys[3] && step == 3) step = 4;
      else if (key == keys[4] && step == 4) step = 5;
      else if (key == keys[5] && step == 5) step = 6;
      else if (key == keys[6] && step == 6) step = 7;
      else if (key == keys[7] && step == 7) unlocked = 1;
      else if (key != 0) step = 0;
    } else {
      if (key >= 0x80) period = 2u * (key & 0x7f);
      if (key == 1) window_open = 1;
      if (key == 2 && window_open) {
        kicks++;
        ticks = 0;
        window_open = 0;
      }
      if (key == 3) {
        unlocked = 0;
        step = 0;
      }
    }
    if (ticks > 40) return 1;
    if (unlocked && ticks > period) {
      if (kicks == 0) return 2;
      if (period == 0) return 3;
      assert(kicks < 2 || period != 6);
      return 4;
    }
  }
}
