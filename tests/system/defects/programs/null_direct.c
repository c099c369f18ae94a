// purpose: a search that finds nothing gives a null pointer, which is not tested for
// defect: null-dereference line 16
// input: letter=122
#include <plumb/plumb.h>
#include <stddef.h>
#include <string.h>

int main(void) {
  const char* letters = "plumb";
  char letter = plumb_symbolic_char("letter");
  if (letter == '\0') return 0;
  const char* found = strchr(letters, letter);
#ifdef FIXED
  if (found == NULL) return 1;
#endif
  if (*found == 'b') return 2;
  return 0;
}
