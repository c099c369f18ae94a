// purpose: two names of the same buffer are released one after the other when a default was shared
// defect: double-free line 8
// input: is_shared=1
#include <plumb/plumb.h>
#include <stdlib.h>

static void release(char** text) {
  free(*text);
  *text = NULL;
}

int main(void) {
  char* title = malloc(8);
  char* heading = title;
  int is_shared = plumb_symbolic_int("is_shared") == 1;
  if (!is_shared) heading = malloc(8);
  release(&title);
#ifdef FIXED
  if (!is_shared) release(&heading);
#else
  release(&heading);
#endif
  return 0;
}
