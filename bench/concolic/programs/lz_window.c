// purpose: literals and copies from a window of earlier output, then a dictionary check; a copy may reach before the start
#include <plumb/plumb.h>

enum { kIn = 12, kOut = 32 };

struct decoder {
  unsigned char out[kOut];
  int size, copies, overlaps;
};

static int literals(struct decoder* d, const unsigned char* in, int* at, int count) {
  for (; count > 0; count--) {
    if (*at == kIn) return 1;
    if (d->size == kOut) return 2;
    d->out[d->size++] = in[(*at)++];
  }
  return 0;
}

static int copy(struct decoder* d, int distance, int length) {
  if (length > kOut - d->size) return 2;
  if (distance > d->size + 1) return 3; /* one too many */
  if (distance < length) d->overlaps++;
  d->copies++;
  for (int i = 0; i < length; i++, d->size++) {
    plumb_check(d->size - distance >= 0);
    d->out[d->size] = d->out[d->size - distance];
  }
  return 0;
}

int main(void) {
  unsigned char in[kIn];
  struct decoder d = {{0}, 0, 0, 0};
  plumb_symbolic(in, sizeof in, "in");
  for (int at = 0; at < kIn;) {
    unsigned char control = in[at++];
    int status = 4;
    if (control == 0) break;
    if (control < 0x40) {
      status = literals(&d, in, &at, control);
    } else if (control < 0xc0) {
      if (at == kIn) return 1;
      int distance = in[at++] + 1;
      status = copy(&d, distance, (control & 0x3f) + 2);
    }
    if (status != 0) return status;
  }
  if (d.copies > 1 && d.overlaps == d.copies) return 5;
  if (d.size >= 6 && d.out[0] == 'L' && d.out[5] == 'Z') return 6;
  return 0;
}
