// purpose: a name is the default, a global array, or memory of the heap, and is released through a pointer to it
// defect: invalid-free line 13
// input: is_anonymous=1
#include <plumb/plumb.h>
#include <stdlib.h>

static char anonymous[] = "nobody";

static void release(char** name) {
#ifdef FIXED
  if (*name == anonymous) return;
#endif
  free(*name);
  *name = NULL;
}

int main(void) {
  char* name = NULL;
  if (plumb_symbolic_int("is_anonymous") == 1)
    name = anonymous;
  else
    name = calloc(8, 1);
  if (name == NULL) return 1;
  int first = name[0];
  release(&name);
  return first == 'n';
}
