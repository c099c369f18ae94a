// purpose: the lights of a crossing with a tram and a request of pedestrians; conditions set phases and counters each second
#include <assert.h>
#include <plumb/plumb.h>

enum colour { kRed, kRedYellow, kGreen, kYellow };

int main(void) {
  int main_light = kGreen, side_light = kRed, walk = 0, seconds = 0, request = 0, tram = 0, night = 0, total = 0;
  for (;;) {
    unsigned char sensors = plumb_nondet_uchar();
    if (sensors == 0x80) return main_light;
    if (++total > 100) return 10;
    seconds++;
    if (sensors & 1) request = 1;
    if ((sensors & 2) && tram == 0) tram = 1;
    if ((sensors & 4) && tram == 2) tram = 0;
    if ((sensors & 0x30) == 0x30) night = !night;
    if (night) {
      main_light = kYellow;
      side_light = kYellow;
      walk = 0;
      seconds = 0;
      continue;
    }
    if (main_light == kYellow && side_light == kYellow) {
      main_light = kRed;
      side_light = kRed;
      seconds = 0;
    }
    int next_main = main_light, next_side = side_light;
    if (main_light == kGreen && (request || tram == 1) && seconds > 4) next_main = kYellow;
    if (main_light == kYellow && seconds > 1) next_main = kRed;
    if (main_light == kRed && side_light == kRed && tram == 1 && seconds > 1) tram = 2;
    if (main_light == kRed && side_light == kRed && tram == 0) {
      if (request && seconds > 2) next_side = kRedYellow;
      else if (!request && seconds > 2) next_main = kRedYellow;
    }
    if (side_light == kRedYellow) next_side = kGreen;
    if (side_light == kGreen && seconds > 3) {
      next_side = kYellow;
      request = 0;
    }
    if (side_light == kYellow && seconds > 1) next_side = kRed;
    if (main_light == kRedYellow) next_main = kGreen;
    if (next_main != main_light || next_side != side_light) seconds = 0;
    main_light = next_main;
    side_light = next_side;
    walk = side_light == kGreen && seconds < 3;
    assert(!(main_light == kGreen && side_light == kGreen));
    if (tram == 2 && main_light == kRedYellow) return 1;
    if (walk && tram == 1 && (sensors & 0x40)) return 2;
    if (side_light == kYellow && tram == 1 && request) return 3;
  }
}
