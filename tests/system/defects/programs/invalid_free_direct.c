// purpose: a line is released through the pointer that was moved past its blanks
// defect: invalid-free line 20
// input: first=32
#include <plumb/plumb.h>
#include <stdlib.h>

static char* line;

int main(void) {
  line = malloc(4);
  if (line == NULL) return 1;
  line[0] = plumb_symbolic_char("first");
  line[1] = 'x';
  char* start = line;
  if (*start == ' ') start++;
  int is_word = *start == 'x';
#ifdef FIXED
  free(line);
#else
  free(start);
#endif
  return is_word;
}
