// purpose: steps that only set variables, as regions summarise them, with a goal that needs several of them
// expect: all
#include "probe.h"

int main(void) {
  unsigned char keys[5];
  int state = 0, errors = 0;
  plumb_symbolic(keys, sizeof keys, "keys");
  for (int i = 0; B(i < 5); i++) {
    if (B(keys[i] == 'o')) {
      if (B(state == 0)) state = 1;
    }
    if (B(keys[i] == 'p')) {
      if (B(state == 1)) state = 2;
      else errors++;
    }
    if (B(keys[i] == 'e')) {
      if (B(state == 2)) state = 3;
    }
  }
  if (B(state == 3)) {
    if (B(errors == 1)) return 1;
  }
  return 0;
}
