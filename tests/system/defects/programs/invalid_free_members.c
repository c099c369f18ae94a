// purpose: a small text lies inside of its struct on the stack, a long one in the heap, and both are released
// defect: invalid-free line 16
// input: length=3
#include <plumb/plumb.h>
#include <stdlib.h>

struct text {
  char* data;
  char small[8];
};

static void release(struct text* text) {
#ifdef FIXED
  if (text->data != text->small) free(text->data);
#else
  free(text->data);
#endif
}

int main(void) {
  struct text text = {NULL, ""};
  unsigned length = plumb_symbolic_uchar("length");
  if (length == 0) return 1;
  text.data = length < 8 ? text.small : malloc(256);
  if (text.data == NULL) return 2;
  text.data[length] = '\0';
  release(&text);
  return 0;
}
