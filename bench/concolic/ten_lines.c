#include <plumb/plumb.h>

int main(void) {
  unsigned n = plumb_symbolic_uint("n"), sum = 0;
  for (unsigned i = 0; i < 32; i++) {
    if (n >> i & 1) sum += i;
    if (sum > 490) return 1;
  }
  return sum == 123 ? 2 : 0;
}
