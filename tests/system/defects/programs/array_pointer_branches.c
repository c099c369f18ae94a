// purpose: a sign and a prefix together need one place more than the number's text has
// defect: array-pointer-out-of-bounds line 15
// input: value=-80 is_hex=1
#include <plumb/plumb.h>

static int format(char* out, int value, int is_hex) {
  int used = 0;
  if (value < 0) out[used++] = '-';
  if (is_hex) {
    out[used++] = '0';
    out[used++] = 'x';
  }
  unsigned left = value < 0 ? 0u - (unsigned)value : (unsigned)value;
  out[used++] = "0123456789abcdef"[left / 16 % 16];
  out[used++] = "0123456789abcdef"[left % 16];
  return used;
}

int main(void) {
#ifdef FIXED
  char text[5];
#else
  char text[4];
#endif
  int value = plumb_symbolic_schar("value");
  return format(text, value, plumb_symbolic_int("is_hex")) > 5;
}
