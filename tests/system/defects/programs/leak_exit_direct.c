// purpose: the program ends early without giving back its buffer
// defect: leak line 9
// input: argument=-1
#include <plumb/plumb.h>
#include <stdlib.h>

int main(void) {
  int argument = plumb_symbolic_int("argument");
  char* buffer = malloc(100);
  if (buffer == NULL) return 1;
  buffer[0] = '\0';
  if (argument < 0) {
#ifdef FIXED
    free(buffer);
#endif
    return 2;
  }
  free(buffer);
  return 0;
}
