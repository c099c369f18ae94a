// purpose: a read past the end of a heap object, by one byte of a word
// defect: pointer-out-of-bounds line 14
#include <stdlib.h>
#include <string.h>

int main(void) {
#ifdef FIXED
  size_t size = 8;
#else
  size_t size = 7;
#endif
  char *bytes = calloc(1, size);
  if (!bytes) return 0;
  long long word = *(long long *)bytes;
  free(bytes);
  return word != 0;
}
