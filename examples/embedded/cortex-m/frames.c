/* Frames of a small bus: 0x7e, kind, length, payload, sum. Names are kept in a table, one of them a byte too far. */
#include <plumb/plumb.h>
#include <stdint.h>
#include <string.h>

enum { RENAME = 3, LIGHT = 5 };

static char names[4][8];
static uint8_t light;

static int handle(const uint8_t* frame, unsigned size) {
  unsigned length = frame[2];
  const uint8_t* payload = frame + 3;
  uint8_t sum = 0;
  if (frame[0] != 0x7e || length + 4 > size) return -1;
  for (unsigned i = 0; i < length; i++) sum ^= payload[i];
  if (sum != payload[length]) return -2;
  switch (frame[1]) {
    case RENAME:
      if (length < 2 || length > 9 || payload[0] > 3) return -3;
      memcpy(names[payload[0]], payload + 1, length - 1);
      names[payload[0]][length - 1] = 0; /* nine bytes if the name has eight */
      return 0;
    case LIGHT:
      if (length != 1) return -3;
      light = payload[0];
      return 0;
    default:
      return -4;
  }
}

int main(void) {
  uint8_t frame[13];
  plumb_symbolic(frame, sizeof frame, "frame");
  return handle(frame, sizeof frame) != 0;
}
