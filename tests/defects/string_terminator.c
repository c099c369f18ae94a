// purpose: a copy has no room for the zero at the end of its text
// defect: pointer-out-of-bounds line 14
#include <stdlib.h>
#include <string.h>

int main(void) {
  const char *text = "twelve chars";
#ifdef FIXED
  char *copy = malloc(strlen(text) + 1);
#else
  char *copy = malloc(strlen(text));
#endif
  if (!copy) return 0;
  strcpy(copy, text);
  int wrong = copy[0] != 't';
  free(copy);
  return wrong;
}
