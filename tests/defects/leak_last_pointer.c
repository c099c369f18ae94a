// purpose: an object is lost when the only pointer to it gets another value
// defect: leak line 8
#include <stdlib.h>

int main(void) {
  int *first = NULL;
  for (int i = 0; i < 2; ++i) {
    int *next = malloc(sizeof *next);
    if (next == NULL) return 1;
    *next = i;
    if (first == NULL) {
      first = next;
    } else {
#ifdef FIXED
      free(first);
#endif
      first = next;
    }
  }
  free(first);
  return 0;
}
