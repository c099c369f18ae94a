// purpose: the bits of a field are cut out by a mask that a field as wide as the word breaks
// defect: shift-out-of-range line 15
// checks: default,shift
// input: width=32
#include <plumb/plumb.h>

struct field {
  unsigned low, width;
};

static unsigned mask_of(const struct field* field) {
#ifdef FIXED
  if (field->width == 32) return ~0u;
#endif
  return (1u << field->width) - 1;
}

int main(void) {
  struct field field = {0, plumb_symbolic_uchar("width")};
  if (field.width > 32) return 1;
  return (mask_of(&field) & 0x10) != 0;
}
