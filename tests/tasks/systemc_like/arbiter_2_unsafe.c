// An arbiter gives a bus to one of 2 clients at a time; it forgets the last one.
// Fails with: 7 0 4 5 3 1 6 4 5 4
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) { assert(0); }

enum { RUNNABLE, WAITING, ENDED };
enum { QUIET, NOTIFIED };
static int client0_place, client0_status = RUNNABLE;
static int client1_place, client1_status = RUNNABLE;
static int arbiter_place, arbiter_status = RUNNABLE;
static int asked = QUIET;
static int granted = QUIET;
static int freed = QUIET;
static int asks[2], has[2], owner = -1, users;

static void client0(void) {
  if (client0_place == 0) {
    asks[0] = __VERIFIER_nondet_int() != 0;
    asked = NOTIFIED;
    client0_place = asks[0] ? 1 : 0;
  } else if (client0_place == 1) {
    if (has[0]) {
      users++;
      if (users > 1) reach_error();
      client0_place = 2;
    }
  } else {
    users--;
    has[0] = 0;
    asks[0] = 0;
    freed = NOTIFIED;
    client0_status = ENDED;
    return;
  }
  granted = NOTIFIED;
  client0_status = WAITING;
}

static void client1(void) {
  if (client1_place == 0) {
    asks[1] = __VERIFIER_nondet_int() != 0;
    asked = NOTIFIED;
    client1_place = asks[1] ? 1 : 0;
  } else if (client1_place == 1) {
    if (has[1]) {
      users++;
      if (users > 1) reach_error();
      client1_place = 2;
    }
  } else {
    users--;
    has[1] = 0;
    asks[1] = 0;
    freed = NOTIFIED;
    client1_status = ENDED;
    return;
  }
  granted = NOTIFIED;
  client1_status = WAITING;
}

static void arbiter(void) {
  if (!has[0]) {
    if (asks[0] && !has[0]) has[0] = 1;
    else if (asks[1] && !has[1]) has[1] = 1;
  }
  granted = NOTIFIED;
  arbiter_status = WAITING;
}

static void wake(void) {
  if (asked == NOTIFIED && arbiter_status == WAITING) arbiter_status = RUNNABLE;
  if (freed == NOTIFIED && arbiter_status == WAITING) arbiter_status = RUNNABLE;
  if (granted == NOTIFIED && client0_status == WAITING) client0_status = RUNNABLE;
  if (granted == NOTIFIED && client1_status == WAITING) client1_status = RUNNABLE;
  asked = QUIET;
  granted = QUIET;
  freed = QUIET;
}

static int is_someone_ready(void) {
  return client0_status == RUNNABLE || client1_status == RUNNABLE || arbiter_status == RUNNABLE;
}

static void run(void) {
  for (;;) {
    while (is_someone_ready()) { /* evaluate */
      if (client0_status == RUNNABLE && __VERIFIER_nondet_int()) client0();
      if (client1_status == RUNNABLE && __VERIFIER_nondet_int()) client1();
      if (arbiter_status == RUNNABLE && __VERIFIER_nondet_int()) arbiter();
    }
    wake(); /* what was notified for the next round */
    if (!is_someone_ready()) return;
  }
}

int main(void) {
  run();
  return 0;
}
