// purpose: jumps out of and into stretches of code, with a loop made of gotos
// expect: all
#include "probe.h"

int main(void) {
  unsigned char a = plumb_symbolic_uchar("a"), b = plumb_symbolic_uchar("b");
  int rounds = 0;
  if (B(a == 3)) goto middle;
again:
  rounds++;
  if (B(rounds > 3)) goto out;
middle:
  b = (unsigned char)(b + a);
  if (B(b == 100)) goto done;
  if (B(b & 1)) goto again;
out:
  if (B(rounds == 2)) return 1;
  return 0;
done:
  if (B(rounds == 2)) return 2;
  return 3;
}
