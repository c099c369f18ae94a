// purpose: a reader stores through a pointer only if there is something to read, and the caller does not look
// defect: uninitialised-read line 21
// checks: default,uninitialised
// input: length=9
#include <plumb/plumb.h>

static int read_number(int* number, unsigned length) {
  if (length > 8) return 0;
  *number = (int)length * 3;
  return 1;
}

int main(void) {
  int number;
  int* place = &number;
#ifdef FIXED
  if (!read_number(place, plumb_symbolic_uint("length"))) return 1;
#else
  read_number(place, plumb_symbolic_uint("length"));
#endif
  if (*place == 6) return 2;
  return 0;
}
