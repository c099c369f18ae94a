// purpose: a function releases what it was given when it fails, and its caller prints it in the message
// defect: use-after-free line 15
// input: first=33
#include <plumb/plumb.h>
#include <stdlib.h>

static int store(char* name) {
  if (name[0] == '!') {
    free(name);
    return 0;
  }
  return 1;
}

static int first_of(const char* name) { return name[0]; }

int main(void) {
  char* name = malloc(2);
  if (name == NULL) return 1;
  name[0] = plumb_symbolic_char("first");
  name[1] = '\0';
#ifdef FIXED
  int first = first_of(name);
  if (!store(name)) return first > 40;
#else
  if (!store(name)) return first_of(name) > 40;
#endif
  free(name);
  return 0;
}
