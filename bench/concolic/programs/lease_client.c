// purpose: the client of an address server: messages with transaction numbers, timers, and an address that must be kept
extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_assert(int);

enum state { kInit, kSelecting, kRequesting, kBound, kRenewing, kRebinding };
enum { kOffer = 2, kAck = 5, kNak = 6 };

struct client {
  enum state state;
  unsigned transaction, address, server;
  unsigned lease, elapsed;
  int offers, renewals, conflicts;
};

static void message(struct client* c, unsigned type, unsigned transaction, unsigned address, unsigned server) {
  if (transaction != c->transaction) return;
  if (c->state == kSelecting && type == kOffer) {
    if (address >> 24 != 10 && address >> 16 != 0xc0a8) return;
    c->offers++;
    c->address = address;
    c->server = server;
    c->state = kRequesting;
  } else if (c->state == kRequesting && type == kAck) {
    if (address != c->address || server != c->server) {
      c->conflicts++;
      return;
    }
    c->state = kBound;
    c->elapsed = 0;
  } else if ((c->state == kRenewing || c->state == kRebinding) && type == kAck) {
    if (c->state == kRenewing && server != c->server) return;
    c->server = server;
    c->state = kBound;
    c->elapsed = 0;
    c->renewals++;
  } else if (type == kNak && c->state >= kRequesting) {
    c->state = kInit;
    c->address = 0;
  }
}

static void tick(struct client* c, unsigned seconds) {
  c->elapsed += seconds;
  if (c->state == kInit) c->state = kSelecting, c->transaction += 0x1d;
  if (c->state == kBound && c->elapsed >= c->lease / 2) c->state = kRenewing;
  if (c->state == kRenewing && c->elapsed >= c->lease / 8 * 7) c->state = kRebinding;
  if (c->state == kRebinding && c->elapsed >= c->lease) {
    c->state = kInit;
    c->elapsed = 0;
  }
}

int main(void) {
  struct client c = {kInit, 0x2a, 0, 0, 800, 0, 0, 0, 0};
  for (int i = 0; i < 25; i++) {
    unsigned char event = __VERIFIER_nondet_uchar();
    if (event == 'm') {
      unsigned type = __VERIFIER_nondet_uchar(), transaction = __VERIFIER_nondet_uint();
      unsigned address = __VERIFIER_nondet_uint(), server = __VERIFIER_nondet_uint();
      message(&c, type, transaction, address, server);
    } else if (event == 't') {
      unsigned seconds = __VERIFIER_nondet_uint();
      __VERIFIER_assume(seconds <= 1000);
      tick(&c, seconds);
    } else if (event == 'q') {
      break;
    }
    if (c.conflicts > 2) return 1;
    __VERIFIER_assert(c.state != kBound || c.address != 0 || c.renewals == 0);
  }
  if (c.renewals == 2) return 2;
  return c.state == kRebinding ? 3 : 0;
}
