// purpose: tables read and written at an index from the input
// expect: all
#include "probe.h"

static const unsigned short table[16] = {7, 3, 900, 41, 5, 0, 12, 77, 1, 2, 4, 8, 16, 32, 64, 128};
static int counts[8];

int main(void) {
  unsigned char i = plumb_symbolic_uchar("i"), j = plumb_symbolic_uchar("j"), k = plumb_symbolic_uchar("k");
  if (B(i >= 16)) return 1;
  if (B(table[i] == 900)) return 2;
  if (B(table[i] > 60)) {
    counts[j & 7] = table[i];
    counts[k & 7] += 5;
    if (B(counts[3] == 82)) return 3;
    if (B(counts[6] == 5)) return 4;
  }
  return 0;
}
