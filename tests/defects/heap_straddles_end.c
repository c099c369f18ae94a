// purpose: the second read of a loop begins inside the object and ends one byte behind it
// defect: pointer-out-of-bounds line 14
#include <stdlib.h>

#ifdef FIXED
enum { Size = 8 };
#else
enum { Size = 7 };
#endif

int main(void) {
  char* bytes = calloc(1, Size);
  int sum = 0;
  for (int i = 0; i < 2; i++) sum += ((int*)bytes)[i];
  free(bytes);
  return sum;
}
