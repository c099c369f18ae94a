// The order that qsort makes, and what bsearch finds in it.
#include <plumb/plumb.h>
#include <stdlib.h>

static int compare(const void* a, const void* b) {
  unsigned char left = *(const unsigned char*)a, right = *(const unsigned char*)b;
  return (left > right) - (left < right);
}

int main(void) {
  unsigned char bytes[3], key = 77;
  plumb_symbolic(bytes, sizeof bytes, "bytes");
  qsort(bytes, 3, 1, compare);
  if (bytes[0] == 5 && bytes[1] == 9 && bytes[2] == 200) return 1;
  if (bsearch(&key, bytes, 3, 1, compare) != NULL) return 2;
  return 0;
}
