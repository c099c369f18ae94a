// purpose: null goes through two calls before it is written through
// defect: null-dereference line 6
#include <stddef.h>

static void store(int *to, int value) {
  *to = value;
}
static void forward(int *to) { store(to, 7); }

int main(void) {
  int target = 0;
#ifdef FIXED
  forward(&target);
  return target - 7;
#else
  forward(NULL);
  return target;
#endif
}
