// purpose: strncpy pads with zeros beyond what the destination holds
// defect: array-pointer-out-of-bounds line 10
#include <string.h>

int main(void) {
  char field[8];
#ifdef FIXED
  strncpy(field, "ab", sizeof field);
#else
  strncpy(field, "ab", 2 * sizeof field);
#endif
  return field[2];
}
