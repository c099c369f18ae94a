// purpose: switches with ranges, falling through and a default, on values of several widths
// expect: all
#include "probe.h"

int main(void) {
  unsigned char kind = plumb_symbolic_uchar("kind");
  short level = plumb_symbolic_short("level");
  long wide = plumb_symbolic_long("wide");
  int result = 0;
  switch (S(kind)) {
    case 3:
      result = 1;
      break;
    case 200:
      result = 2;
    case 7:
      result++;
      break;
    default:
      result = 9;
  }
  switch (S(level)) {
    case -5:
      result += 10;
      break;
    case 1000:
      result += 20;
  }
  switch (S(wide)) {
    case 0x1234567890L:
      if (B(result == 23)) result = 50;
      break;
    case -1:
      break;
  }
  return result;
}
