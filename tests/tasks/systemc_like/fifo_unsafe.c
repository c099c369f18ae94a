// What the producer writes the consumer reads, through one place; the producer does not wait until it is free.
// Fails with: 0 1 1 0 1 1 0 0 1
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) { assert(0); }

enum { RUNNABLE, WAITING, ENDED };
enum { QUIET, NOTIFIED };
static int producer_place, producer_status = RUNNABLE;
static int consumer_place, consumer_status = RUNNABLE;
static int written = QUIET;
static int fetched = QUIET;
static int place, is_full, sent, received;
static unsigned char last_sent, last_received;

static void producer(void) {
  last_sent = __VERIFIER_nondet_uchar();
  place = last_sent;
  is_full = 1;
  written = NOTIFIED;
  producer_status = ++sent == 3 ? ENDED : WAITING;
}

static void consumer(void) {
  if (!is_full) {
    consumer_status = WAITING;
    return;
  }
  last_received = (unsigned char)place;
  is_full = 0;
  received++;
  fetched = NOTIFIED;
  if (last_received != last_sent || received != sent) reach_error();
  consumer_status = WAITING;
}

static void wake(void) {
  if (written == NOTIFIED && consumer_status == WAITING) consumer_status = RUNNABLE;
  if (fetched == NOTIFIED && producer_status == WAITING) producer_status = RUNNABLE;
  if (written == NOTIFIED && producer_status == WAITING) producer_status = RUNNABLE;
  written = QUIET;
  fetched = QUIET;
}

static int is_someone_ready(void) {
  return producer_status == RUNNABLE || consumer_status == RUNNABLE;
}

static void run(void) {
  for (;;) {
    while (is_someone_ready()) { /* evaluate */
      if (producer_status == RUNNABLE && __VERIFIER_nondet_int()) producer();
      if (consumer_status == RUNNABLE && __VERIFIER_nondet_int()) consumer();
    }
    wake(); /* what was notified for the next round */
    if (!is_someone_ready()) return;
  }
}

int main(void) {
  run();
  return 0;
}
