// purpose: a stream of bits is decoded with a canonical code that comes before it
#include <plumb/plumb.h>

enum { kSymbols = 5, kLongest = 4 };

struct bits {
  const unsigned char* bytes;
  int at, size;
};

static int next_bit(struct bits* b) {
  if (b->at == 8 * b->size) return -1;
  int bit = b->bytes[b->at >> 3] >> (7 - (b->at & 7)) & 1;
  b->at++;
  return bit;
}

int main(void) {
  unsigned char lengths[kSymbols], data[3];
  plumb_symbolic(lengths, sizeof lengths, "lengths");
  plumb_symbolic(data, sizeof data, "data");
  int count[kLongest + 1] = {0};
  for (int i = 0; i < kSymbols; i++) {
    if (lengths[i] > kLongest) return 1;
    count[lengths[i]]++;
  }
  if (count[0] >= kSymbols - 1) return 2;
  int left = 1;
  for (int length = 1; length <= kLongest; length++) {
    left = 2 * left - count[length];
    if (left < 0) return 3;
  }
  if (left > 0) return 4;
  struct bits bits = {data, 0, sizeof data};
  int decoded[24], size = 0;
  while (size < 24) {
    int code = 0, first = 0, length, symbol = -1;
    for (length = 1; length <= kLongest && symbol < 0; length++) {
      int bit = next_bit(&bits);
      if (bit < 0) return size == 0 ? 5 : 6;
      code = code << 1 | bit;
      if (code - first < count[length]) {
        int rank = code - first;
        for (int i = 0; i < kSymbols; i++)
          if (lengths[i] == length && rank-- == 0) symbol = i;
      }
      first = (first + count[length]) << 1;
    }
    if (symbol == kSymbols - 1) break;
    decoded[size++] = symbol;
  }
  if (size < 3) return 7;
  plumb_check(!(decoded[0] == 3 && decoded[1] == 1 && decoded[2] == 2));
  return 0;
}
