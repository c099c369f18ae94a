// purpose: a freed text is given to a library function
// defect: use-after-free line 15
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char *text = strdup("a text");
  if (!text) return 0;
#ifdef FIXED
  puts(text);
  free(text);
#else
  free(text);
  puts(text);
#endif
  return 0;
}
