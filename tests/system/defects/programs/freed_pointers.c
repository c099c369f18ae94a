// purpose: a pointer into a buffer is used after the buffer has grown to another place
// defect: use-after-free line 25
// input: length=5
#include <plumb/plumb.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  size_t length = plumb_symbolic_uchar("length") % 16;
  char* text = malloc(4);
  if (text == NULL) return 1;
  strcpy(text, "abc");
  char* second = text + 1;
  if (length > 4) {
    char* grown = realloc(text, 4096);
    if (grown == NULL) {
      free(text);
      return 2;
    }
    text = grown;
#ifdef FIXED
    second = text + 1;
#endif
  }
  *second = 'B';
  free(text);
  return 0;
}
