// purpose: a checksum over words is asked for from an odd start
// defect: misaligned line 10
// checks: default,alignment
// input: skipped=1
#include <plumb/plumb.h>
#include <stdlib.h>

static unsigned checksum(const void* data) {
  const unsigned short* words = data;
  return words[0] ^ words[1];
}

int main(void) {
  char* data = calloc(16, 1);
  if (data == NULL) return 1;
  unsigned skipped = plumb_symbolic_uint("skipped");
  unsigned sum = 0;
#ifdef FIXED
  if (skipped < 8) sum = checksum(data + skipped / 2 * 2);
#else
  if (skipped < 8) sum = checksum(data + skipped);
#endif
  free(data);
  return sum != 0;
}
