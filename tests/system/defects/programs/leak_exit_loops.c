// purpose: the last of the lines that were read is forgotten by the loop that gives them back
// defect: leak line 12
// input: lines=3
#include <plumb/plumb.h>
#include <stdlib.h>

int main(void) {
  char* text[4] = {NULL, NULL, NULL, NULL};
  unsigned lines = plumb_symbolic_uint("lines");
  if (lines > 4) return 1;
  for (unsigned i = 0; i < lines; ++i) {
    text[i] = calloc(1, 10);
    if (text[i] == NULL) break;
    text[i][0] = (char)('a' + i);
  }
#ifdef FIXED
  for (unsigned i = 0; i < lines; ++i) free(text[i]);
#else
  for (unsigned i = 0; i + 1 < lines; ++i) free(text[i]);
#endif
  return 0;
}
