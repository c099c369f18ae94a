// purpose: the end of a text is looked for beyond the place behind its buffer
// defect: pointer-arithmetic line 15
// checks: default,pointer-arithmetic
#include <stdlib.h>

int main(void) {
  char *text = calloc(8, 1);
  if (text == NULL) return 0;
#ifdef FIXED
  int skipped = 8;
#else
  int skipped = 9;
#endif
  int is_end;
  is_end = text + skipped == NULL;
  free(text);
  return is_end;
}
