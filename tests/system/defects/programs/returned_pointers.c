// purpose: the text of a number is given to the caller through a pointer, and lies in the function's own frame
// defect: use-after-return line 24
// input: number=7
#include <plumb/plumb.h>

static char storage[4];

static void text_of(unsigned number, const char** text) {
  char own[4];
  own[0] = (char)('0' + number % 10);
  own[1] = '\0';
  storage[0] = own[0];
  *text = "none";
#ifdef FIXED
  if (number > 0) *text = storage;
#else
  if (number > 0) *text = own;
#endif
}

int main(void) {
  const char* text;
  text_of(plumb_symbolic_uint("number"), &text);
  return text[0] == '7';
}
