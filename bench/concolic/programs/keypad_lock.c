// purpose: a door lock with a secret of eight keys, a lockout after failures and a master sequence, one key an iteration
#include <assert.h>
#include <plumb/plumb.h>

struct lock {
  int matched, wrong, failures, lockout, master, is_open, alarms;
};

static void press(struct lock* l, unsigned char key) {
  if (l->lockout > 0) {
    l->lockout--;
    if (key == '*') l->master = l->master == 0 ? 1 : 0;
    else if (key == '7') l->master = l->master == 1 ? 2 : 0;
    else if (key == '#') l->master = l->master == 2 ? 3 : 0;
    else if (key != 0) l->master = 0;
    if (l->master == 3) {
      l->lockout = 0;
      l->failures = 0;
    }
    return;
  }
  if (key == 4 && l->matched == 0) l->matched = 1;
  else if (key == 9 && l->matched == 1) l->matched = 2;
  else if (key == 1 && l->matched == 2) l->matched = 3;
  else if (key == 1 && l->matched == 3) l->matched = 4;
  else if (key == 6 && l->matched == 4) l->matched = 5;
  else if (key == 0x20 && l->matched == 5) l->matched = 6;
  else if (key == 8 && l->matched == 6) l->matched = 7;
  else if (key == 3 && l->matched == 7) l->is_open = 1;
  else if (key <= 9) l->wrong++;
  if (l->wrong >= 3) {
    l->wrong = 0;
    l->matched = 0;
    l->failures++;
    if (l->failures == 2) l->lockout = 6;
    if (l->failures > 2) l->alarms++;
  }
}

int main(void) {
  struct lock lock = {0, 0, 0, 0, 0, 0, 0};
  for (;;) {
    unsigned char key;
    plumb_symbolic(&key, sizeof key, "key");
    if (key == 0xff) return 0;
    press(&lock, key);
    if (lock.alarms > 1) return 1;
    if (lock.is_open) {
      if (lock.wrong == 2) return 2;
      if (lock.failures == 1) assert(lock.wrong != 1);
      return 3;
    }
  }
}
