/* A valve that is given its steps over a bus: 0x53, how many, the steps, their sum. docs/embedded.md tests it on a board. */
#include <plumb/plumb.h>
#include <stdint.h>

struct valve {
  uint16_t steps[4];
  int count;
};

static int load(struct valve* valve, const uint8_t* frame, int size) {
  int count = frame[1];
  uint8_t sum = 0;
  if (frame[0] != 0x53) return -1;
  if (count > size - 3) return -2;
  for (int i = 0; i < count; i++) sum += frame[2 + i];
  if (sum != frame[2 + count]) return -3;
  for (int i = 0; i < count; i++) valve->steps[i] = frame[2 + i] * 4;
  valve->count = count;
  return count;
}

int main(void) {
  struct valve valve = {{0}, 0};
  uint8_t frame[10];
  plumb_symbolic(frame, sizeof frame, "frame");
  return load(&valve, frame, sizeof frame) < 0;
}
