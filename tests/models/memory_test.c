/* <string.h> on blocks: results and the bytes left behind, in buffers around which nothing may change. */

#include <string.h>
#include <strings.h>

#include "check.h"

MODEL(memcpy);
MODEL(mempcpy);
MODEL(memmove);
MODEL(memccpy);
MODEL(memset);
MODEL(memcmp);
MODEL(memchr);
MODEL(memrchr);
MODEL(rawmemchr);
MODEL(memmem);
MODEL(memfrob);
MODEL(bcmp);
MODEL(bcopy);
MODEL(bzero);
MODEL(explicit_bzero);

enum { Size = 40 };

static int sign(int value) { return (value > 0) - (value < 0); }

/* Two equal pairs of buffers: one for the model, one for the library. */
static unsigned char model_side[Size], library_side[Size], source[Size];

static void refill(void) {
  for (int i = 0; i < Size; ++i) {
    model_side[i] = library_side[i] = (unsigned char)below(4);
    source[i] = (unsigned char)below(4);
  }
}

static ptrdiff_t place(const void* found, const void* base) {
  return found != NULL ? (const char*)found - (const char*)base : -1;
}

static void check_sides(const char* name) {
  check_bytes(model_side, library_side, Size, "%s leaves other bytes", name);
}

static void test_copying(void) {
  refill();
  size_t to = below(20), from = below(20), size = below(20);
  check(model_memcpy(model_side + to, source + from, size) == model_side + to, "memcpy result");
  memcpy(library_side + to, source + from, size);
  check_sides("memcpy");
  check(model_mempcpy(model_side + to, source + from, size) == model_side + to + size, "mempcpy result");
  check_sides("mempcpy");
  check(model_memmove(model_side + to, model_side + from, size) == model_side + to, "memmove result");
  memmove(library_side + to, library_side + from, size);
  check_sides("memmove");
  model_bcopy(model_side + from, model_side + to, size);
  bcopy(library_side + from, library_side + to, size);
  check_sides("bcopy");
  int last = (int)below(6);
  ptrdiff_t model_end = place(model_memccpy(model_side + to, source + from, last, size), model_side);
  ptrdiff_t library_end = place(memccpy(library_side + to, source + from, last, size), library_side);
  check(model_end == library_end, "memccpy result");
  check_sides("memccpy");
  model_memset(model_side + to, last + 256, size);
  memset(library_side + to, last + 256, size);
  check_sides("memset");
  model_memfrob(model_side + from, size);
  memfrob(library_side + from, size);
  check_sides("memfrob");
  model_bzero(model_side + from, size / 2);
  model_explicit_bzero(model_side + to, size / 2);
  bzero(library_side + from, size / 2);
  bzero(library_side + to, size / 2);
  check_sides("bzero");
}

static void test_searching(void) {
  refill();
  size_t from = below(20), size = below(20), wanted = below(4);
  int byte = (int)below(6) - 1 + (one_in(5) ? 256 : 0);
  const unsigned char* at = source + from;
  check(model_memchr(at, byte, size) == memchr(at, byte, size), "memchr");
  check(model_memrchr(at, byte, size) == memrchr(at, byte, size), "memrchr");
  check(model_memmem(at, size, model_side, wanted) == memmem(at, size, model_side, wanted), "memmem");
  check(sign(model_memcmp(at, model_side, wanted)) == sign(memcmp(at, model_side, wanted)), "memcmp");
  check(sign(model_memcmp(at, source + below(20), size)) <= 1 && model_memcmp(at, at, size) == 0, "memcmp of itself");
  check((model_bcmp(at, model_side, wanted) != 0) == (bcmp(at, model_side, wanted) != 0), "bcmp");
  source[Size - 1] = 77;
  check(model_rawmemchr(at, 77) == rawmemchr(at, 77), "rawmemchr");
}

void test_memory(void) {
  for (int i = 0; i < 5000; ++i) {
    test_copying();
    test_searching();
  }
}
