// The value and the end of strtod: the digits of a number are settled by branches.
#include <plumb/plumb.h>
#include <stdlib.h>

int main(void) {
  char text[5];
  char* end;
  plumb_symbolic(text, sizeof text, "text");
  text[4] = 0;
  double value = strtod(text, &end);
  if (value == 1.5 && *end == 'x') return 1;
  if (value > 90) return 2;
  if (value < 0) return 3;
  if (value != value) return 4;
  if (end == text) return 5;
  return 0;
}
