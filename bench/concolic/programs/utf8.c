// purpose: UTF-8 is decoded strictly: overlong forms, surrogates and what lies beyond the last plane are refused
#include <assert.h>
#include <plumb/plumb.h>

enum error { kShort = -1, kContinuation = -2, kOverlong = -3, kSurrogate = -4, kTooLarge = -5, kLead = -6 };

static int next(const unsigned char* text, int size, int* at) {
  unsigned char lead = text[(*at)++];
  int count, value, least;
  if (lead < 0x80) return lead;
  if (lead < 0xc0) return kLead;
  if (lead < 0xe0) count = 1, value = lead & 31, least = 0x80;
  else if (lead < 0xf0) count = 2, value = lead & 15, least = 0x800;
  else if (lead < 0xf8) count = 3, value = lead & 7, least = 0x10000;
  else return kLead;
  for (; count > 0; count--) {
    if (*at == size) return kShort;
    unsigned char c = text[(*at)++];
    if ((c & 0xc0) != 0x80) return kContinuation;
    value = value << 6 | (c & 63);
  }
  if (value < least) return kOverlong;
  if (value >= 0xd800 && value < 0xe000) return kSurrogate;
  if (value > 0x10ffff) return kTooLarge;
  return value;
}

static int width(int c) {
  if (c == 0 || (c >= 0x300 && c < 0x370)) return 0;
  if ((c >= 0x1100 && c < 0x1160) || (c >= 0x3040 && c < 0xa4d0) || (c >= 0x1f300 && c < 0x1f650)) return 2;
  return 1;
}

int main(void) {
  unsigned char text[8];
  plumb_symbolic(text, sizeof text, "text");
  int at = 0, columns = 0, characters = 0, wide = 0;
  while (at < (int)sizeof text) {
    int c = next(text, sizeof text, &at);
    if (c < 0) return -c;
    if (c == 0) break;
    int w = width(c);
    columns += w;
    wide += w == 2;
    if (w == 0 && characters == 0) return 7;
    characters++;
    if (c == 0x1f600) return 8;
  }
  if (wide == 2) assert(columns != 5 || characters != 4);
  return 0;
}
