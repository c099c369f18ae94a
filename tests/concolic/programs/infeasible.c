// purpose: branches that no input takes are refuted on every path, and all others are covered
// expect: infeasible 10:true 14:false 20:true
#include "probe.h"

int main(void) {
  unsigned char a = plumb_symbolic_uchar("a"), b = plumb_symbolic_uchar("b");
  int result = 0;
  if (B(a > 10)) {
    result = 1;
    if (B(a < 5)) result = 2;
  }
  if (B(b > 20)) {
    result += 4;
    if (B(b != 7)) result += 8;
  }
  unsigned product = (unsigned)a * b;
  if (B(product == 65025)) {
    result += 16;
  } else {
    if (B(product > 65000)) result += 32;
  }
  return result;
}
