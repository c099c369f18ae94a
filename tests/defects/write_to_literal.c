// purpose: a string literal is written through a pointer that is not const
// defect: write-to-constant line 6
#include <ctype.h>

static void capitalise(char *text) {
  *text = (char)toupper((unsigned char)*text);
}

int main(void) {
#ifdef FIXED
  char name[] = "name";
#else
  char *name = "name";
#endif
  capitalise(name);
  return name[0] != 'N';
}
