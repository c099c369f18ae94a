// purpose: conditions that depend on each other, one of them on a product
// expect: all
#include "probe.h"

int main(void) {
  int a = plumb_symbolic_int("a"), b = plumb_symbolic_int("b");
  int result = 0;
  if (B(a > 100)) {
    if (B(b == a * 3)) {
      result = 1;
      if (B((a & 15) == 9)) result = 2;
    } else {
      if (B(b < -a)) result = 3;
    }
  }
  if (B(result == 2)) {
    if (B(b == 411)) result = 4;
  }
  return result;
}
