// purpose: a ring buffer in a struct computes the place of the next byte without the remainder
// defect: array-out-of-bounds line 16
// input: start=6 more=3
#include <plumb/plumb.h>

struct ring {
  unsigned char data[8];
  unsigned start, used;
};

static int push(struct ring* ring, unsigned char byte) {
  if (ring->used == sizeof ring->data) return 0;
#ifdef FIXED
  ring->data[(ring->start + ring->used) % sizeof ring->data] = byte;
#else
  ring->data[ring->start + ring->used] = byte;
#endif
  ring->used++;
  return 1;
}

int main(void) {
  struct ring ring = {{0}, 0, 0};
  ring.start = plumb_symbolic_uchar("start") % sizeof ring.data;
  unsigned more = plumb_symbolic_uchar("more") % 4;
  for (unsigned i = 0; i < more; ++i) push(&ring, (unsigned char)i);
  return (int)ring.used;
}
