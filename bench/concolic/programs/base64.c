// purpose: groups of four letters become three bytes; padding is checked, and the bytes hold a record
#include <plumb/plumb.h>

static int sextet(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '+') return 62;
  if (c == '/') return 63;
  return -1;
}

static int decode(const char* text, int length, unsigned char* out) {
  int size = 0;
  for (int i = 0; i < length; i += 4) {
    int a = sextet(text[i]), b = sextet(text[i + 1]);
    if (a < 0 || b < 0) return -1;
    out[size++] = (unsigned char)(a << 2 | b >> 4);
    if (text[i + 2] == '=') {
      if (text[i + 3] != '=' || i + 4 != length) return -2;
      if (b & 15) return -3;
      break;
    }
    int c = sextet(text[i + 2]);
    if (c < 0) return -1;
    out[size++] = (unsigned char)(b << 4 | c >> 2);
    if (text[i + 3] == '=') {
      if (i + 4 != length) return -2;
      if (c & 3) return -3;
      break;
    }
    int d = sextet(text[i + 3]);
    if (d < 0) return -1;
    out[size++] = (unsigned char)(c << 6 | d);
  }
  return size;
}

int main(void) {
  char text[12];
  unsigned char bytes[9];
  plumb_symbolic(text, sizeof text, "text");
  int size = decode(text, sizeof text, bytes);
  if (size < 0) return -size;
  if (bytes[0] != 'P' || bytes[1] != 'L') return 4;
  if (bytes[2] != size - 3) return 5;
  unsigned sum = 0;
  for (int i = 3; i < size; i++) sum = sum * 31 + bytes[i];
  plumb_check(sum != 0x1f4b3);
  return sum > 1000 ? 6 : 0;
}
