// purpose: signed and unsigned arithmetic of all widths: extensions, shifts, quotients, remainders
// expect: all
#include "probe.h"

int main(void) {
  signed char a = plumb_symbolic_schar("a");
  unsigned short b = plumb_symbolic_ushort("b");
  int c = plumb_symbolic_int("c");
  unsigned long d = plumb_symbolic_ulong("d");
  if (B(a * 3 == -111)) return 1;
  if (B((unsigned char)a >> 3 == 30)) return 2;
  if (B(b % 1000 == 999)) return 3;
  if (B((b << 3 ^ 0x55) == 0x1fd)) return 4;
  if (B(c / 7 == -1234)) return 5;
  if (B(c >> 4 == -77)) return 6;
  if (B(d * 0x9e3779b97f4a7c15UL == 0x123456789abcdefUL)) return 7;
  if (B((unsigned)(d >> 32) == 0xcafeU)) return 8;
  if (B((long)d < -4000000000000000000L)) return 9;
  return 0;
}
