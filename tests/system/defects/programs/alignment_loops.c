// purpose: entries of various lengths follow each other, and each is read as a number
// defect: misaligned line 16
// checks: default,alignment
// input: sizes=hex:040204
#include <plumb/plumb.h>
#include <stdlib.h>

int main(void) {
  unsigned char sizes[3];
  plumb_symbolic(sizes, sizeof sizes, "sizes");
  char* block = calloc(64, 1);
  if (block == NULL) return 1;
  char* at = block;
  unsigned sum = 0;
  for (int i = 0; i < 3; ++i) {
    sum += *(unsigned*)at;
#ifdef FIXED
    if (sizes[i] != 4 && sizes[i] != 8) break;
#else
    if (sizes[i] != 4 && sizes[i] != 2) break;
#endif
    at += sizes[i];
  }
  free(block);
  return sum != 0;
}
