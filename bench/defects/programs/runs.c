// purpose: runs of bytes are unpacked into a block of the size that the header promises
// seeded: A=1 B=1
#include <plumb/plumb.h>
#include <stdlib.h>

static unsigned char* unpack(const unsigned char* packed, unsigned size, unsigned* length) {
  unsigned promised = packed[0];
  if (promised == 0 || promised > 16) return NULL;
  unsigned char* out = malloc(promised);
  if (out == NULL) return NULL;
  unsigned used = 0;
  for (unsigned i = 1; i + 1 < size; i += 2) {
    unsigned count = packed[i];
    if (count == 0) break;
    if (count > 8) return NULL;
    for (unsigned k = 0; k < count; ++k) out[used++] = packed[i + 1];
  }
  *length = used;
  return out;
}

int main(void) {
  unsigned char packed[5];
  unsigned length = 0;
  plumb_symbolic(packed, sizeof packed, "packed");
  unsigned char* out = unpack(packed, sizeof packed, &length);
  if (out == NULL) return 1;
  int first = length > 0 && out[0] == 'z';
  free(out);
  return first;
}
