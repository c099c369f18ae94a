// purpose: a text buffer has no room for the end of the text when it is full
// defect: pointer-out-of-bounds line 27
// input: length=6
#include <plumb/plumb.h>
#include <stdlib.h>

struct text {
  char* data;
  unsigned capacity, length;
};

static void put(struct text* text, char c) {
  if (text->length == text->capacity) return;
  text->data[text->length++] = c;
}

int main(void) {
  struct text text = {NULL, 6, 0};
#ifdef FIXED
  text.data = malloc(text.capacity + 1);
#else
  text.data = malloc(text.capacity);
#endif
  if (text.data == NULL) return 1;
  unsigned length = plumb_symbolic_uchar("length") % 8;
  while (length-- > 0) put(&text, 'a');
  text.data[text.length] = '\0';
  free(text.data);
  return 0;
}
