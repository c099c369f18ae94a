// purpose: a search backwards runs before the start of a heap object
// defect: pointer-out-of-bounds line 11
#include <stdlib.h>
#include <string.h>

static char *last_slash(char *path) {
  char *at = path + strlen(path) - 1;
#ifdef FIXED
  while (at > path && *at != '/') --at;
#else
  while (*at != '/') --at;
#endif
  return at;
}

int main(void) {
  char *path = strdup("name");
  if (!path) return 0;
  int found = *last_slash(path) == '/';
  free(path);
  return found;
}
