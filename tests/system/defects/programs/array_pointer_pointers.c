// purpose: the name is ended at the place that a second pointer stands at, which may be behind the buffer
// defect: array-pointer-out-of-bounds line 18
// input: digits=8
#include <plumb/plumb.h>

static char buffer[8];

int main(void) {
  unsigned digits = plumb_symbolic_uchar("digits");
#ifdef FIXED
  if (digits >= sizeof buffer) digits = sizeof buffer - 1;
#else
  if (digits >= sizeof buffer) digits = sizeof buffer;
#endif
  char* cursor = buffer;
  char** end = &cursor;
  *end += digits;
  **end = '\0';
  return buffer[0];
}
