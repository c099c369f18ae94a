// purpose: the pointer that walked over an object is freed in place of the one that malloc gave
// defect: invalid-free line 13
#include <stdlib.h>
#include <string.h>

int main(void) {
  char *text = strdup("  indented"), *at = text;
  if (!text) return 0;
  while (*at == ' ') ++at;
#ifdef FIXED
  at = text;
#endif
  free(at);
  return 0;
}
