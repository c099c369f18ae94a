// purpose: four characters of base 64 become three bytes; the table has no entry for every character
// seeded: A=2
#include <plumb/plumb.h>
#include <stdlib.h>

static signed char value_of[123];

static void prepare(void) {
  for (int i = 0; i < 123; ++i) value_of[i] = -1;
  for (int i = 0; i < 26; ++i) {
    value_of['A' + i] = (signed char)i;
    value_of['a' + i] = (signed char)(26 + i);
  }
  for (int i = 0; i < 10; ++i) value_of['0' + i] = (signed char)(52 + i);
  value_of['+'] = 62;
  value_of['/'] = 63;
}

static int decode(unsigned char* out, const unsigned char* text, int size) {
  int used = 0;
  for (int i = 0; i + 4 <= size; i += 4) {
    unsigned bits = 0;
    for (int k = 0; k < 4; ++k) {
      if (text[i + k] == '=') return used;
      int value = value_of[text[i + k]];
      if (value < 0) return -1;
      bits = bits << 6 | (unsigned)value;
    }
    out[used++] = (unsigned char)(bits >> 16);
    out[used++] = (unsigned char)(bits >> 8);
    out[used++] = (unsigned char)bits;
  }
  return used;
}

int main(void) {
  unsigned char text[4];
  prepare();
  plumb_symbolic(text, sizeof text, "text");
  unsigned char* out = malloc(sizeof text / 4 * 3 - 1);
  if (out == NULL) return 1;
  int used = decode(out, text, sizeof text);
  free(out);
  return used;
}
