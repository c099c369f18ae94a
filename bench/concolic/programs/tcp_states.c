// purpose: the states of a TCP connection under segments and calls of the user, in an endless loop
#include <assert.h>
#include <plumb/plumb.h>

enum state { kClosed, kListen, kSynSent, kSynReceived, kEstablished, kFinWait1, kFinWait2, kCloseWait, kClosing, kLastAck, kTimeWait };
enum { kFin = 1, kSyn = 2, kRst = 4, kAck = 16 };
enum { kPassiveOpen = 1, kActiveOpen, kSend, kClose, kTimer };

struct connection {
  enum state state;
  unsigned char sequence, expected;
  int sent, received, resets, retries;
};

static void user_call(struct connection* c, unsigned char call) {
  if (call == kPassiveOpen && c->state == kClosed) c->state = kListen;
  if (call == kActiveOpen && c->state == kClosed) {
    c->state = kSynSent;
    c->retries = 0;
  }
  if (call == kSend && (c->state == kEstablished || c->state == kCloseWait)) {
    c->sent++;
    c->sequence++;
  }
  if (call == kClose) {
    if (c->state == kListen || c->state == kSynSent) c->state = kClosed;
    else if (c->state == kSynReceived || c->state == kEstablished) c->state = kFinWait1;
    else if (c->state == kCloseWait) c->state = kLastAck;
  }
  if (call == kTimer) {
    if (c->state == kTimeWait) c->state = kClosed;
    if (c->state == kSynSent && ++c->retries == 3) c->state = kClosed;
  }
}

static void segment(struct connection* c, unsigned char flags, unsigned char number) {
  if (c->state == kClosed) return;
  if (flags & kRst) {
    if (c->state != kListen) c->state = kClosed;
    c->resets++;
    return;
  }
  int is_acked = (flags & kAck) && number == c->sequence;
  if (c->state == kListen && (flags & kSyn)) {
    c->state = kSynReceived;
    c->expected = (unsigned char)(number + 1);
  } else if (c->state == kSynSent && (flags & kSyn)) {
    c->state = flags & kAck ? kEstablished : kSynReceived;
    c->expected = (unsigned char)(number + 1);
  } else if (c->state == kSynReceived && is_acked) {
    c->state = kEstablished;
  } else if (c->state == kEstablished) {
    if (flags & kFin) c->state = kCloseWait;
    else if (number == c->expected) c->received++, c->expected++;
  } else if (c->state == kFinWait1) {
    if ((flags & kFin) && is_acked) c->state = kTimeWait;
    else if (flags & kFin) c->state = kClosing;
    else if (is_acked) c->state = kFinWait2;
  } else if (c->state == kFinWait2 && (flags & kFin)) {
    c->state = kTimeWait;
  } else if (c->state == kClosing && is_acked) {
    c->state = kTimeWait;
  } else if (c->state == kLastAck && is_acked) {
    c->state = kClosed;
  }
}

int main(void) {
  struct connection c = {kClosed, 0, 0, 0, 0, 0, 0};
  for (;;) {
    unsigned char event = plumb_nondet_uchar(), flags = plumb_nondet_uchar(), number = plumb_nondet_uchar();
    if (event == 0) segment(&c, flags, number);
    else user_call(&c, event);
    if (c.resets > 4) return 1;
    if (c.state == kTimeWait && c.sent == 2 && c.received == 1) {
      if (c.expected == 77) assert(c.sequence != 2);
      return 2;
    }
    if (event == 255) return c.state == kClosed ? 0 : 3;
  }
}
