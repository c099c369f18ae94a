// purpose: one of the ways to skip a header is longer than what is there
// defect: pointer-arithmetic line 18
// checks: default,pointer-arithmetic
// input: kind=2
#include <plumb/plumb.h>

int main(void) {
  static char packet[8];
  int kind = plumb_symbolic_int("kind"), length = 4;
  if (kind == 1) length = 8;
#ifdef FIXED
  if (kind == 2) length = 6;
#else
  if (kind == 2) length = 12;
#endif
  const char *start = packet;
  const char *body;
  body = start + length;
  return body == start;
}
