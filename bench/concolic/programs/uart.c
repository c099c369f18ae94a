// purpose: a serial port with a queue of received bytes, error flags and a register interface, driven by a stream of bus operations
#include <assert.h>
#include <plumb/plumb.h>

enum { kData, kStatus, kControl, kBaud };
enum { kEnable = 1, kParity = 2, kLoopback = 4, kInterrupt = 8 };
enum { kReady = 1, kOverrun = 2, kParityError = 4, kEmpty = 8 };

struct uart {
  unsigned char queue[8];
  unsigned char head, count, status, control;
  unsigned short divisor;
};

static int parity(unsigned char byte) {
  byte ^= byte >> 4;
  byte ^= byte >> 2;
  byte ^= byte >> 1;
  return byte & 1;
}

static void receive(struct uart* u, unsigned char byte, int bit) {
  if (!(u->control & kEnable)) return;
  if ((u->control & kParity) && parity(byte) != bit) {
    u->status |= kParityError;
    return;
  }
  if (u->count == 8) {
    u->status |= kOverrun;
    return;
  }
  u->queue[(u->head + u->count) & 7] = byte;
  u->count++;
  u->status |= kReady;
  u->status &= (unsigned char)~kEmpty;
}

static int read_data(struct uart* u) {
  if (u->count == 0) {
    u->status |= kEmpty;
    return -1;
  }
  int byte = u->queue[u->head];
  u->head = (u->head + 1) & 7;
  if (--u->count == 0) u->status &= (unsigned char)~kReady;
  return byte;
}

static void write_register(struct uart* u, int address, unsigned char value) {
  switch (address) {
    case kData:
      if (u->control & kLoopback) receive(u, value, parity(value));
      break;
    case kStatus:
      u->status &= (unsigned char)~value;
      break;
    case kControl:
      if ((value & kLoopback) && !(value & kEnable)) break;
      u->control = value & 15;
      break;
    case kBaud:
      u->divisor = (unsigned short)(u->divisor << 8 | value);
      break;
  }
}

int main(void) {
  struct uart uart = {.control = 0, .status = kEmpty, .divisor = 1};
  int interrupts = 0;
  for (int i = 0; i < 20; i++) {
    unsigned char operation = plumb_nondet_uchar(), value = plumb_nondet_uchar();
    if (operation < 4) write_register(&uart, operation, value);
    else if (operation == 4) (void)read_data(&uart);
    else if (operation == 5) receive(&uart, value, operation & 1);
    else if (operation == 255) break;
    if ((uart.control & kInterrupt) && (uart.status & (kReady | kOverrun))) {
      if ((uart.status & kOverrun) && ++interrupts == 2) {
        unsigned rate = 115200U / uart.divisor; /* a divisor of zero is never refused */
        if (rate > 9600) return 1;
      }
    }
    assert(uart.count <= 8);
  }
  return 0;
}
