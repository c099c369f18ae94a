// purpose: a local array is freed because a flag says it was allocated
// defect: invalid-free line 10
#include <stdlib.h>

int main(void) {
  char local[16] = "", *text = local;
#ifdef FIXED
  text = malloc(64);
#endif
  free(text);
  return local[0];
}
