// purpose: only compressed blocks of the second version have a trailer, which was not counted
// defect: pointer-out-of-bounds line 24
// input: version=2 flags=1
#include <plumb/plumb.h>
#include <stdlib.h>

enum { HEADER = 4, TRAILER = 2, COMPRESSED = 1 };

static size_t size_of(int version, unsigned flags) {
#ifdef FIXED
  return version == 2 && (flags & COMPRESSED) ? HEADER + TRAILER : HEADER;
#else
  return version == 3 && (flags & COMPRESSED) ? HEADER + TRAILER : HEADER;
#endif
}

int main(void) {
  int version = plumb_symbolic_int("version");
  unsigned flags = plumb_symbolic_uint("flags");
  unsigned char* block = calloc(size_of(version, flags), 1);
  if (block == NULL) return 1;
  block[0] = (unsigned char)version;
  if (version == 2) {
    if (flags & COMPRESSED) block[HEADER + 1] = 0xff;
  }
  free(block);
  return 0;
}
