#include <string.h>

#include "cases.h"

void globals(void) {
  uint32_t offset;
  for (offset = 0; offset < 64; ++offset) {
    CHECK(kind_of_access(padded_global + offset, 1) == (offset < 20 ? 0 : PLUMB_DEFECT_ARRAY));
    if (offset < 20) continue;
    CHECK(last.object_kind == PLUMB_OBJECT_GLOBAL);
    /* Closer to its end than to the next one's start. */
    if (offset < 40) {
      CHECK(last.object_base == (uintptr_t)padded_global && last.object_size == 20);
    }
  }
  CHECK(kind_of_access(padded_global + 16, 8) == PLUMB_DEFECT_ARRAY && last.object_size == 20);
  CHECK(kind_of_access(padded_global + 63, 1) == PLUMB_DEFECT_ARRAY && last.object_size == 64);
  CHECK(kind_of_access(padded_global + 64, 32) == 0);
}

void null_and_wild(void) {
  CHECK(kind_of_access(NULL, 1) == PLUMB_DEFECT_NULL);
  CHECK(kind_of_access((void*)(uintptr_t)65535, 1 | PLUMB_ACCESS_WRITE) == PLUMB_DEFECT_NULL);
  CHECK(kind_of_access((void*)(uintptr_t)65536, 1) == 0);
  CHECK(kind_of_access((void*)(UINTPTR_MAX - 3), 8) == PLUMB_DEFECT_WILD);
#if UINTPTR_MAX > 0xffffffffu
  CHECK(kind_of_access((void*)((uintptr_t)1 << 47), 1) == PLUMB_DEFECT_WILD);
  CHECK(kind_of_access((void*)(((uintptr_t)1 << 47) - 1), 1) == 0);
  CHECK(kind_of_access((void*)0xdeadbeefdeadbeef, 4) == PLUMB_DEFECT_WILD);
#endif
}

void substitutes(void) {
  static const char zeros[65536];
  char* object = malloc(8);
  char* place = __plumb_bad_access(1, object + 8, 32 | PLUMB_ACCESS_WRITE);
  char variable[8];
  memset(place, 5, 64);
  place = __plumb_bad_access(1, object + 8, 64);
  CHECK(memcmp(place, zeros, 64) == 0);
  memset(place, 5, 64);
  place = __plumb_bad_access(1, object + 12, 64);
  CHECK(memcmp(place, zeros, 64) == 0 && told == 3);
  __plumb_bad_index(3, (uint64_t)-1, 10);
  CHECK(told == 4 && last.kind == PLUMB_DEFECT_INDEX && last.a == (uint64_t)-1 && last.b == 10 && last.site == 3);
  place = __plumb_nowhere();
  CHECK(memcmp(place, zeros, 65536) == 0);
  memset(place, 5, 65536);
  /* What was found wrong once is not told again. */
  CHECK(kind_of_access(place + 1000, 8) == 0 && __plumb_check_block(1, place, 65536, 1) == 1);
  CHECK(__plumb_bad_offset(1, place, 4, variable, 8) == place && told == 4);
  CHECK(memcmp(__plumb_nowhere(), zeros, 65536) == 0);
  place = __plumb_bad_offset(9, variable + 8, 4, variable, 8);
  CHECK(place != variable + 8 && told == 5 && last.kind == PLUMB_DEFECT_ARRAY && last.site == 9);
  CHECK(last.object_kind == PLUMB_OBJECT_STACK && last.object_base == (uintptr_t)variable && last.object_size == 8);
  CHECK(__plumb_bad_offset(9, object + 9, 1, object, 8) != object && last.kind == PLUMB_DEFECT_POINTER);
  CHECK(last.object_kind == PLUMB_OBJECT_HEAP && last.allocated.depth > 0);
  CHECK(__plumb_bad_offset(9, padded_global + 30, 1, padded_global, 20) != NULL && last.kind == PLUMB_DEFECT_ARRAY);
  CHECK(last.object_kind == PLUMB_OBJECT_GLOBAL);
  __plumb_bad_value(4, PLUMB_DEFECT_SHIFT, 40, 32);
  CHECK(last.kind == PLUMB_DEFECT_SHIFT && last.a == 40 && last.b == 32 && last.site == 4);
}

void blocks(void) {
  const size_t size = 3000003;
  char* object = malloc(size);
  size_t begin;
  size_t length;
  for (begin = 0; begin < 20; ++begin)
    for (length = 0; length < 200; ++length) {
      char* small = object + size - 100;
      int is_right = begin + length <= 100 || length == 0;
      uint32_t before = told;
      CHECK(__plumb_check_block(5, small + begin, length, 1) == (uint32_t)is_right);
      CHECK(told == before + !is_right);
      CHECK(__plumb_check_block(5, object + begin, length, 0) == 1);
    }
  CHECK(__plumb_check_block(5, object, size, 0) == 1);
  CHECK(__plumb_check_block(5, object, size + 1, 1) == 0 && last.kind == PLUMB_DEFECT_POINTER);
  CHECK(last.access == ((uint32_t)(size + 1) | PLUMB_ACCESS_WRITE) && last.object_base == (uintptr_t)object);
  CHECK(__plumb_check_block(5, object - 1, 10, 0) == 0 && last.kind == PLUMB_DEFECT_POINTER);
  CHECK(__plumb_check_block(5, object, (size_t)-1, 0) == 0);
  CHECK(__plumb_check_block(5, NULL, 4, 0) == 0 && last.kind == PLUMB_DEFECT_NULL);
  CHECK(__plumb_check_block(5, NULL, 0, 0) == 1);
  CHECK(__plumb_check_block(5, (void*)(UINTPTR_MAX - 7), 100, 0) == 0 && last.kind == PLUMB_DEFECT_WILD);
  CHECK(__plumb_check_block(5, &length, (size_t)-1 / 2, 1) == 0);
  object = malloc(64);
  free(object);
  CHECK(__plumb_check_block(5, object, 64, 0) == 0 && last.kind == PLUMB_DEFECT_FREED);
}

void questions(void) {
  size_t size;
  for (size = 1; size < 100; ++size) {
    char* object = malloc(size);
    size_t offset;
    for (offset = 0; offset < size; ++offset) {
      CHECK(__plumb_room(object + offset, 1000) == size - offset);
      CHECK(__plumb_room(object + offset, 1) == 1);
    }
    CHECK(__plumb_room(object + size, 8) == 0);
  }
  CHECK(__plumb_room(NULL, 10) == 0 && __plumb_room((void*)UINTPTR_MAX, 10) == 0);
  CHECK(told == 0);
}

void watched_objects(void) {
  char* object = malloc(21);
  char* other;
  uint32_t offset;
  CHECK(plumb_watched_size(object) == 0);
  plumb_watch_object(object, 1234);
  CHECK(plumb_watched_size(object) == 1234 && plumb_watched_size(object + 1) == 0 && plumb_watched_size(NULL) == 0);
  for (offset = 0; offset < 24; ++offset) {
    uint32_t before = watched;
    CHECK(kind_of_inline_access(object + offset, 1) == (offset < 21 ? 0 : PLUMB_DEFECT_POINTER));
    CHECK(watched == before + (offset < 21));
  }
  CHECK(last.object_base == (uintptr_t)object && last.object_size == 21);
  CHECK(kind_of_access(object + 17, 4) == 0 && kind_of_access(object + 18, 4) == PLUMB_DEFECT_POINTER);
  watched = 0;
  CHECK(__plumb_check_block(1, object, 21, 0) == 1 && watched == 1);
  CHECK(__plumb_check_block(1, object, 22, 0) == 0 && watched == 1);
  CHECK(__plumb_room(object, 21) == 0);
  other = realloc(object, 40);
  CHECK(kind_of_access(object, 1) == PLUMB_DEFECT_FREED && plumb_watched_size(other) == 0);
  CHECK(kind_of_access(other, 40) == 0);
  plumb_watch_object(NULL, 1);
  plumb_watch_object(other + 8, 1);
  CHECK(plumb_watched_size(other) == 0);
}
