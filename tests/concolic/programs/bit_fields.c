// purpose: bit fields and unions over input bytes
// expect: all
#include "probe.h"

struct head {
  unsigned version : 4;
  unsigned flags : 3;
  int delta : 9;
  unsigned rest : 16;
};

union word {
  unsigned whole;
  struct head head;
  unsigned char bytes[4];
};

int main(void) {
  union word word;
  plumb_symbolic(&word, sizeof word, "word");
  if (B(word.head.version == 6)) {
    if (B(word.head.flags == 5)) {
      if (B(word.head.delta == -200)) return 1;
    }
  }
  if (B(word.bytes[3] == 0xee)) {
    if (B(word.whole % 3 == 1)) return 2;
  }
  return 0;
}
