// purpose: an assertion behind a checksum fails for few inputs
// expect: all
// defect: assertion 14
#include <assert.h>

#include "probe.h"

int main(void) {
  unsigned char p[6];
  plumb_symbolic(p, sizeof p, "p");
  unsigned sum = p[0] + 2u * p[1] + 3u * p[2] + 4u * p[3];
  if (B((sum & 0xff) != p[4])) return 1;
  if (B(p[0] != 0xa5)) return 2;
  assert(p[1] != 17 || p[5] != 99);
  return 0;
}
