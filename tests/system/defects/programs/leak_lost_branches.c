// purpose: a copy that turns out to be too long is dropped without being given back
// defect: leak line 8
// input: length=12 is_strict=1
#include <plumb/plumb.h>
#include <stdlib.h>

static char* copy_of(int length, int is_strict) {
  char* copy = malloc(32);
  if (copy == NULL) return NULL;
  copy[0] = 'c';
  if (length > 10) {
    if (is_strict) {
#ifdef FIXED
      free(copy);
#endif
      return NULL;
    }
    copy[0] = 'l';
  }
  return copy;
}

int main(void) {
  char* copy = copy_of(plumb_symbolic_int("length"), plumb_symbolic_int("is_strict"));
  if (copy == NULL) return 1;
  free(copy);
  return 0;
}
