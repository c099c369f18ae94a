// The value, the end and the error of strtol, in several bases.
#include <errno.h>
#include <plumb/plumb.h>
#include <stdlib.h>

int main(void) {
  char text[8], large[15];
  char* end;
  plumb_symbolic(text, sizeof text, "text");
  plumb_symbolic(large, sizeof large, "large");
  text[7] = large[14] = 0;
  long value = strtol(text, &end, 0);
  if (value == -42 && *end == 'x') return 1;
  if (value == 0x7fff) return 2;
  if (value == 0777 && end == text + 4) return 3;
  if (end == text) return 4;
  if (large[0] != '-') return 5;
  errno = 0;
  value = strtol(large, NULL, 36);
  if (errno == ERANGE) return 6;
  return 0;
}
