// purpose: a pointer is set anew without a free in between
// defect: leak line 6
#include <stdlib.h>

int main(void) {
  char *buffer = malloc(10);
#ifdef FIXED
  free(buffer);
#endif
  buffer = malloc(20);
  free(buffer);
  return 0;
}
