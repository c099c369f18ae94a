// purpose: a number in groups of seven bits has one group more than the word
// defect: shift-out-of-range line 16
// checks: default,shift
// input: bytes=hex:818181818101
#include <plumb/plumb.h>

int main(void) {
  unsigned char bytes[6];
  unsigned value = 0, shift = 0;
  plumb_symbolic(bytes, sizeof bytes, "bytes");
#ifdef FIXED
  for (int i = 0; i < 5; ++i) {
#else
  for (int i = 0; i < 6; ++i) {
#endif
    value |= (bytes[i] & 0x7fu) << shift;
    shift += 7;
    if (bytes[i] < 0x80) break;
  }
  return value == 300;
}
