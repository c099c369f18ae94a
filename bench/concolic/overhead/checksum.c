// CRC-32 by table over a buffer.
#include "overhead.h"

enum { kSize = 1 << 14, kRounds = 3000 };

static unsigned table[256];
static unsigned char buffer[kSize + 4];

static void make_table(void) {
  for (unsigned i = 0; i < 256; i++) {
    unsigned c = i;
    for (int k = 0; k < 8; k++) c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1;
    table[i] = c;
  }
}

static unsigned checksum(unsigned c, const unsigned char *bytes, unsigned size) {
  c = ~c;
  while (size-- != 0) c = table[(c ^ *bytes++) & 0xff] ^ c >> 8;
  return ~c;
}

static unsigned work(unsigned start, unsigned input) {
  unsigned c = start;
  make_table();
  for (unsigned i = 0; i < kSize; i++) buffer[i] = (unsigned char)(i * 7 + start);
  buffer[kSize] = (unsigned char)input;
  for (unsigned round = 0; round < kRounds; round++) c = checksum(c, buffer, kSize);
#ifdef SHARED
  checksum(0, buffer + kSize - 4, 8);
#endif
  return c;
}
