// purpose: strings and memory from the input go through functions of the library
// expect: all
#include <string.h>

#include "probe.h"

int main(void) {
  char text[9], copy[9];
  plumb_symbolic(text, 8, "text");
  text[8] = 0;
  memcpy(copy, text, sizeof copy);
  if (B(strlen(copy) == 5)) {
    if (B(strcmp(copy, "plumb") == 0)) return 1;
    if (B(memcmp(copy, "line", 4) == 0)) return 2;
  }
  char* equals = strchr(copy, '=');
  if (B(equals != NULL)) {
    if (B(equals[1] == '7')) return 3;
  }
  memset(copy, text[0], 3);
  if (B(copy[2] == 'Q')) return 4;
  return 0;
}
