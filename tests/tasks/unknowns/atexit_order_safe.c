// What was registered last is called first.
#include <stdlib.h>
void reach_error(void);

static int digits;
static void first(void) {
  digits = 10 * digits + 1;
  if (digits != 21) reach_error();
}
static void second(void) { digits = 10 * digits + 2; }

int main(void) {
  atexit(first);
  atexit(second);
  return 0;
}
