// A bus master writes to a memory and reads back; addresses outside are answered with an error, all but one.
// Fails with: 4 4 1 6 2 2
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) { assert(0); }

enum { RUNNABLE, WAITING, ENDED };
enum { QUIET, NOTIFIED };
static int master_place, master_status = RUNNABLE;
static int slave_place, slave_status = RUNNABLE;
static int request = QUIET;
static int reply = QUIET;
static unsigned char memory[8], address, data, is_write, is_error, written;

static void slave(void) {
  if (slave_place == 1) {
    is_error = 1;
    if (address <= 4) {
      is_error = 0;
      if (is_write) memory[address] = data;
      else data = memory[address];
    }
    reply = NOTIFIED;
  }
  slave_place = 1;
  slave_status = WAITING;
}

static void master(void) {
  if (master_place == 0) {
    address = __VERIFIER_nondet_uchar() & 7;
    written = data = __VERIFIER_nondet_uchar();
    is_write = 1;
    request = NOTIFIED;
    master_place = 1;
  } else if (master_place == 1) {
    if (is_error != (address >= 4)) reach_error();
    is_write = 0;
    data = 0;
    request = NOTIFIED;
    master_place = 2;
  } else {
    if (!is_error && data != written) reach_error();
    master_status = ENDED;
    return;
  }
  master_status = WAITING;
}

static void wake(void) {
  if (request == NOTIFIED && slave_status == WAITING) slave_status = RUNNABLE;
  if (reply == NOTIFIED && master_status == WAITING) master_status = RUNNABLE;
  request = QUIET;
  reply = QUIET;
}

static int is_someone_ready(void) {
  return master_status == RUNNABLE || slave_status == RUNNABLE;
}

static void run(void) {
  for (;;) {
    while (is_someone_ready()) { /* evaluate */
      if (master_status == RUNNABLE && __VERIFIER_nondet_int()) master();
      if (slave_status == RUNNABLE && __VERIFIER_nondet_int()) slave();
    }
    wake(); /* what was notified for the next round */
    if (!is_someone_ready()) return;
  }
}

int main(void) {
  run();
  return 0;
}
