// purpose: an optional result is stored by a function that does not test whether the caller wants it
// defect: null-dereference line 12
// input: text=hex:2d35 is_checked=1
#include <plumb/plumb.h>
#include <stddef.h>

static int parse(const char* text, int* is_negative) {
  if (text[0] == '-') {
#ifdef FIXED
    if (is_negative != NULL) *is_negative = 1;
#else
    *is_negative = 1;
#endif
    ++text;
  }
  return text[0] - '0';
}

int main(void) {
  char text[2];
  int is_negative = 0;
  plumb_symbolic(text, sizeof text, "text");
  int is_checked = plumb_symbolic_int("is_checked");
  int value = parse(text, is_checked ? NULL : &is_negative);
  return value > 5 && !is_negative;
}
