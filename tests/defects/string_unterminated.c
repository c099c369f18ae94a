// purpose: strlen of characters without a zero at their end
// defect: array-pointer-out-of-bounds line 12
#include <string.h>

int main(void) {
  char name[5];
#ifdef FIXED
  memcpy(name, "abcd", 5);
#else
  memcpy(name, "abcde", 5);
#endif
  size_t length = strlen(name);
  return length > 5;
}
