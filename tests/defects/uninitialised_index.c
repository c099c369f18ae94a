// purpose: an index comes from memory that was never written
// checks: default,uninitialised
// defect: uninitialised-read line 17
#include <stdlib.h>

int main(void) {
  int table[256] = {0};
#ifdef FIXED
  unsigned char *bytes = calloc(4, 1);
#else
  unsigned char *bytes = malloc(4);
#endif
  if (bytes == NULL) return 1;
  bytes[0] = 1;
  int sum = 0;
  for (int i = 0; i < 2; ++i)
    sum += table[bytes[i]];
  free(bytes);
  return sum;
}
