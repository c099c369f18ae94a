// purpose: branches that write locals, globals and an array, and are read after they join
// expect: all
#include "probe.h"

static int global_mode;
static unsigned char log_bytes[4];

static void classify(int* kind, int v) {
  if (B(v < 0)) *kind = 1;
  if (B(v > 500)) {
    *kind = 2;
    log_bytes[1] = (unsigned char)v;
  }
}

int main(void) {
  int v = plumb_symbolic_int("v"), w = plumb_symbolic_int("w"), kind = 0, other[3] = {1, 2, 3};
  classify(&kind, v);
  if (B(w & 1)) {
    global_mode = kind + 1;
    log_bytes[0] = 7;
  } else {
    other[kind] = w;
  }
  if (B(global_mode == 3)) {
    if (B(log_bytes[1] == 0x80)) return 1;
  }
  if (B(other[1] == 4242)) return 2;
  return log_bytes[0] + other[2];
}
