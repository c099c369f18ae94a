// A token comes back to its master 4 higher, one for each transmitter.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) { assert(0); }

enum { RUNNABLE, WAITING, ENDED };
enum { QUIET, NOTIFIED };
static int master_place, master_status = RUNNABLE;
static int transmitter1_place, transmitter1_status = RUNNABLE;
static int transmitter2_place, transmitter2_status = RUNNABLE;
static int transmitter3_place, transmitter3_status = RUNNABLE;
static int transmitter4_place, transmitter4_status = RUNNABLE;
static int event0 = QUIET;
static int event1 = QUIET;
static int event2 = QUIET;
static int event3 = QUIET;
static int event4 = QUIET;
static int token, local, rounds;

static void transmitter1(void) {
  if (transmitter1_place == 1) {
    token = token + 1;
    event2 = NOTIFIED;
  }
  transmitter1_place = 1;
  transmitter1_status = WAITING;
}

static void transmitter2(void) {
  if (transmitter2_place == 1) {
    token = token + 1;
    event3 = NOTIFIED;
  }
  transmitter2_place = 1;
  transmitter2_status = WAITING;
}

static void transmitter3(void) {
  if (transmitter3_place == 1) {
    token = token + 1;
    event4 = NOTIFIED;
  }
  transmitter3_place = 1;
  transmitter3_status = WAITING;
}

static void transmitter4(void) {
  if (transmitter4_place == 1) {
    token = token + 1;
    event0 = NOTIFIED;
  }
  transmitter4_place = 1;
  transmitter4_status = WAITING;
}

static void master(void) {
  if (master_place == 1) {
    if (token != local + 4) reach_error();
    if (++rounds == 2) {
      master_status = ENDED;
      return;
    }
  }
  token = __VERIFIER_nondet_uchar();
  local = token;
  event1 = NOTIFIED;
  master_place = 1;
  master_status = WAITING;
}

static void wake(void) {
  if (event0 == NOTIFIED && master_status == WAITING) master_status = RUNNABLE;
  if (event1 == NOTIFIED && transmitter1_status == WAITING) transmitter1_status = RUNNABLE;
  if (event2 == NOTIFIED && transmitter2_status == WAITING) transmitter2_status = RUNNABLE;
  if (event3 == NOTIFIED && transmitter3_status == WAITING) transmitter3_status = RUNNABLE;
  if (event4 == NOTIFIED && transmitter4_status == WAITING) transmitter4_status = RUNNABLE;
  event0 = QUIET;
  event1 = QUIET;
  event2 = QUIET;
  event3 = QUIET;
  event4 = QUIET;
}

static int is_someone_ready(void) {
  return master_status == RUNNABLE || transmitter1_status == RUNNABLE || transmitter2_status == RUNNABLE || transmitter3_status == RUNNABLE || transmitter4_status == RUNNABLE;
}

static void run(void) {
  for (;;) {
    while (is_someone_ready()) { /* evaluate */
      if (master_status == RUNNABLE && __VERIFIER_nondet_int()) master();
      if (transmitter1_status == RUNNABLE && __VERIFIER_nondet_int()) transmitter1();
      if (transmitter2_status == RUNNABLE && __VERIFIER_nondet_int()) transmitter2();
      if (transmitter3_status == RUNNABLE && __VERIFIER_nondet_int()) transmitter3();
      if (transmitter4_status == RUNNABLE && __VERIFIER_nondet_int()) transmitter4();
    }
    wake(); /* what was notified for the next round */
    if (!is_someone_ready()) return;
  }
}

int main(void) {
  run();
  return 0;
}
