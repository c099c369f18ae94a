// purpose: the members of a union are each other's bytes, and arrays in them have various lengths
#include <plumb/plumb.h>
#include <stdint.h>
#include <string.h>

union word {
  uint32_t value;
  uint8_t bytes[4];
  uint16_t halves[2];
  float real;
};

struct variant {
  int kind;
  union {
    char small[4];
    char large[16];
    struct {
      int first, second;
    };
  };
};

static int length(const struct variant* variant) {
  int i = 0, most = variant->kind == 0 ? 4 : 16;
  const char* text = variant->kind == 0 ? variant->small : variant->large;
  while (i < most && text[i] != '\0') ++i;
  return i;
}

int main(void) {
  union word word = {plumb_symbolic_uint("word")};
  struct variant variant = {0};
  variant.kind = word.bytes[3] & 1;
  for (int i = 0; i < 4; ++i) variant.small[i] = (char)word.bytes[i];
  if (variant.kind == 1) memset(variant.large, 'x', 16);
  if (variant.kind == 0 && variant.first > 100) return word.halves[1] > 5;
  return length(&variant) == 16;
}
