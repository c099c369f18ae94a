// purpose: sizes that are multiples of nothing: copies, fills and reads of all widths within odd blocks
#include <plumb/plumb.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static uint64_t read_bytes(const unsigned char* from, size_t size) {
  uint64_t value = 0;
  memcpy(&value, from, size);
  return value;
}

int main(void) {
  unsigned size = 1 + plumb_symbolic_uint("size") % 16;
  unsigned char* block = malloc(size);
  if (block == NULL) return 1;
  memset(block, 7, size);
  uint64_t sum = 0;
  for (unsigned width = 1; width <= 8 && width <= size; ++width) sum += read_bytes(block + size - width, width);
  if (size >= 4) {
    uint32_t word;
    memcpy(&word, block + size - 4, 4);
    sum ^= word;
  }
  free(block);
  return sum == 0;
}
