// purpose: memcpy of more than the destination holds
// defect: array-pointer-out-of-bounds line 13
#include <string.h>

int main(void) {
  char small[10];
  const char large[20] = "nineteen characters";
#ifdef FIXED
  size_t size = sizeof small;
#else
  size_t size = sizeof large;
#endif
  memcpy(small, large, size);
  return small[0] != 'n';
}
