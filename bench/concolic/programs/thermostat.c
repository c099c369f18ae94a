// purpose: a heating control with hysteresis, a schedule, a frost guard and sensor faults that must be seen for a while
#include <plumb/plumb.h>

struct control {
  int target, is_heating, minutes_on, faults, is_failed, hour, boost;
};

static int filtered(struct control* c, short raw) {
  if (raw < -400 || raw > 1200) {
    if (++c->faults >= 3) c->is_failed = 1;
    return c->target;
  }
  c->faults = 0;
  return raw;
}

static void regulate(struct control* c, int temperature) {
  int wanted = c->target;
  if (c->hour >= 22 || c->hour < 6) wanted -= 40;
  if (c->boost > 0) {
    wanted += 30;
    c->boost--;
  }
  if (temperature < 50) {
    c->is_heating = 1;
  } else if (c->is_heating) {
    if (temperature > wanted + 5) c->is_heating = 0;
  } else {
    if (temperature < wanted - 5) c->is_heating = 1;
  }
  c->minutes_on = c->is_heating ? c->minutes_on + 1 : 0;
}

int main(void) {
  struct control c = {200, 0, 0, 0, 0, 7, 0};
  int cycles = 0;
  for (int i = 0; i < 30; i++) {
    short raw;
    unsigned char key;
    plumb_symbolic(&raw, sizeof raw, "raw");
    plumb_symbolic(&key, sizeof key, "key");
    if (key == '+' && c.target < 280) c.target += 5;
    else if (key == '-' && c.target > 120) c.target -= 5;
    else if (key == 'b') c.boost = 4;
    else if (key == 'h') c.hour = (c.hour + 3) % 24;
    else if (key == 'q') break;
    int was_heating = c.is_heating;
    regulate(&c, filtered(&c, raw));
    if (c.is_failed) {
      plumb_check(!c.is_heating || c.boost == 0);
      return 1;
    }
    if (was_heating && !c.is_heating) cycles++;
    if (cycles > 4) return 2;
    if (c.minutes_on > 12) return 3;
  }
  if (c.target == 215 && c.hour >= 22) return 4;
  return 0;
}
