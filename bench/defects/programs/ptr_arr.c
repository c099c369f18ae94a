// purpose: a pointer into a global array, moved by input and used behind the array on one path
// seeded: A=1
#include <plumb/plumb.h>

static int levels[6];

int main(void) {
  int step = plumb_symbolic_int("step"), key = plumb_symbolic_int("key");
  int* at = levels + 2;
  if (step > 0 && step < 5) {
    at += step;
    if (key == 4711) *at = 1;
  }
  return levels[0];
}
