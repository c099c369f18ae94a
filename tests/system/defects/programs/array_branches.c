// purpose: an option of a packet is looked up in a table that only the first of two kinds of packet keeps within
// defect: array-out-of-bounds line 16
// input: packet=hex:0204
#include <plumb/plumb.h>

static const int timeouts[4] = {10, 20, 50, 100};

static int timeout_of(const unsigned char* packet) {
  if (packet[0] == 1) return timeouts[packet[1] & 3];
  if (packet[0] == 2) {
#ifdef FIXED
    if (packet[1] >= 4) return -1;
#else
    if (packet[1] > 4) return -1;
#endif
    return timeouts[packet[1]] * 2;
  }
  return 0;
}

int main(void) {
  unsigned char packet[2];
  plumb_symbolic(packet, sizeof packet, "packet");
  return timeout_of(packet) > 100;
}
