/*
 * The checks of bare metal on the host: a program that is its own board. Each case is a run: what is wrong in it must
 * be told, with its site, and nothing else; afterwards everything is as before the first run. Prints what failed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/checks/bare/bare.h"
#include "runtime/checks/bare/board_ranges.h"

/* --- The board --- */

/* It has all addresses but those of the second half of this. */
static uint8_t ram[4096] __attribute__((aligned(64)));
const struct plumb_board_range plumb_board_ranges[] = {
    {(uintptr_t)(ram + 4096), 0}, {(uintptr_t)(ram + 1024), (uintptr_t)(ram + 2048)}, {0, (uintptr_t)(ram + 1024)}};
const uint32_t plumb_board_range_count = 3;

/* --- The module --- */

static struct {
  int value;
  char room[28];
} first = {7, {0}};
static struct {
  char text[13];
  char room[35];
} second = {"hello, world", {0}};
static void* kept;
static const struct {
  int value;
  char room[28];
} first_image = {7, {0}};
static const char second_image[48] = "hello, world";

const struct plumb_padded_global __plumb_padded_globals[] = {{&second, 13, 48}, {&first, 4, 32}};
const uint32_t __plumb_padded_global_count = 2;
const struct plumb_image __plumb_images[] = {
    {&first, &first_image, 32}, {&second, second_image, 48}, {&kept, 0, sizeof kept}};
const uint32_t __plumb_image_count = 3;

/* The linker tells of data beside that: none. */
__asm__(
    ".globl __data_start__\n.set __data_start__, plumb_board_ranges\n"
    ".globl __data_end__\n.set __data_end__, plumb_board_ranges\n"
    ".globl __bss_start__\n.set __bss_start__, plumb_board_ranges\n"
    ".globl __bss_end__\n.set __bss_end__, plumb_board_ranges\n");

/* --- What is told --- */

static struct plumb_defect_record told[64];
static uint32_t told_count;

void plumb_tell_defect(const struct plumb_defect_record* defect) {
  if (told_count < 64) told[told_count] = *defect;
  ++told_count;
}

void plumb_tell_watched(uint32_t site, const void* address, uint32_t access, const void* base, size_t size,
                        uint32_t size_id) {
  (void)site, (void)address, (void)access, (void)base, (void)size, (void)size_id;
}

static uint32_t refused_frames;
static uint32_t refused_objects;
void plumb_frame_refused(void) { ++refused_frames; }
void plumb_object_refused(void) { ++refused_objects; }

static int failures;
static const char* case_name;

static void expect(int condition, const char* what) {
  if (condition) return;
  ++failures;
  printf("%s: %s\n", case_name, what);
}

/* --- What instrumented code does --- */

static struct plumb_caller nobody;

static void* allocate(uint32_t site, size_t size) {
  __plumb_call_site = site;
  return plumb_allocate(size, 0, 0, nobody);
}

static void release(uint32_t site, void* object) {
  __plumb_call_site = site;
  plumb_release(object, nobody);
}

static int may_access(void* address, uint32_t bytes) {
  uint32_t before = told_count;
  void* place = __plumb_bad_access(3, address, bytes);
  return place == address && told_count == before;
}

static void expect_told(uint32_t kind, uint32_t site, const void* base, size_t size) {
  expect(told_count == 1, "one defect should be told");
  expect(told[0].kind == kind, "its kind");
  expect(told[0].site == site, "its site");
  expect(told[0].object_base == (uintptr_t)base && (base == 0 || told[0].object_size == size), "its object");
}

static void begin(const char* name) {
  case_name = name;
  plumb_restore_globals();
  plumb_reset_checks();
  told_count = 0;
  refused_frames = 0;
  refused_objects = 0;
  memset(told, 0, sizeof told);
}

/* --- Cases --- */

static void heap_bounds(void) {
  char* object;
  uint32_t i;
  begin("heap_bounds");
  object = allocate(11, 13);
  for (i = 0; i < 13; ++i) expect(may_access(object + i, 1), "bytes inside may be accessed");
  expect(may_access(object + 5, 8), "to the end");
  expect(told_count == 0, "nothing is wrong inside");
  expect(__plumb_bad_access(21, object + 6, 8) != object + 6, "an access across the end goes elsewhere");
  expect_told(PLUMB_DEFECT_POINTER, 21, object, 13);
  told_count = 0;
  __plumb_bad_access(22, object - 1, 1);
  expect_told(PLUMB_DEFECT_POINTER, 22, object, 13);
  told_count = 0;
  expect(__plumb_check_block(23, object, 14, 1) == 0, "a block across the end");
  expect_told(PLUMB_DEFECT_POINTER, 23, object, 13);
  expect(__plumb_check_block(23, object, 13, 1) == 1, "a block inside");
  expect(__plumb_room(object + 3, 100) == 10, "the room to the end");
}

static void freed(void) {
  char* object;
  begin("freed");
  object = allocate(11, 40);
  release(12, object);
  __plumb_bad_access(21, object + 8, 4);
  expect_told(PLUMB_DEFECT_FREED, 21, object, 40);
  told_count = 0;
  release(13, object);
  expect_told(PLUMB_DEFECT_DOUBLE_FREE, 13, object, 40);
  told_count = 0;
  object = allocate(14, 40);
  release(15, object + 8);
  expect_told(PLUMB_DEFECT_BAD_FREE, 15, object, 40);
  told_count = 0;
  release(16, &first);
  expect_told(PLUMB_DEFECT_BAD_FREE, 16, &first, 4);
  expect(__plumb_call_site == 0, "the site is used up");
}

/* What has left the quarantine is still no memory of anybody. */
static void freed_long_ago(void) {
  char* object;
  uint32_t i;
  begin("freed_long_ago");
  object = allocate(11, 24);
  allocate(12, 24); /* keeps the chunk apart */
  release(13, object);
  for (i = 0; i < 4096; ++i) release(13, allocate(11, 128));
  expect(told_count == 0, "nothing is wrong");
  __plumb_bad_access(21, object, 4);
  expect(told_count == 1, "told");
  expect(told[0].kind == PLUMB_DEFECT_FREED || told[0].kind == PLUMB_DEFECT_POINTER, "as a use of no object");
}

static void reallocated(void) {
  char* object;
  char* moved;
  begin("reallocated");
  object = allocate(11, 10);
  memcpy(object, "abcdefghi", 10);
  __plumb_call_site = 12;
  moved = plumb_reallocate(object, 100, nobody);
  expect(moved != object && memcmp(moved, "abcdefghi", 10) == 0, "the content goes along");
  __plumb_bad_access(21, object, 1);
  expect_told(PLUMB_DEFECT_FREED, 21, object, 10);
}

static void addresses(void) {
  begin("addresses");
  __plumb_bad_access(21, (void*)(uintptr_t)8, 4);
  expect_told(PLUMB_DEFECT_NULL, 21, 0, 0);
  expect(may_access(ram, 8), "memory of others");
  expect(may_access(ram + 2047, 1), "to its end");
  expect(may_access(ram + 1020, 8), "ranges that follow each other");
  expect(told_count == 1, "nothing is wrong there");
  told_count = 0;
  __plumb_bad_access(22, ram + 2044, 8);
  expect_told(PLUMB_DEFECT_WILD, 22, 0, 0);
  told_count = 0;
  __plumb_bad_access(23, ram + 3000, 1);
  expect_told(PLUMB_DEFECT_WILD, 23, 0, 0);
}

static void globals(void) {
  begin("globals");
  expect(may_access(&first.value, 4), "a variable");
  expect(may_access(second.text + 12, 1), "its last byte");
  expect(told_count == 0, "nothing is wrong");
  __plumb_bad_access(21, second.text + 13, 1);
  expect_told(PLUMB_DEFECT_ARRAY, 21, &second, 13);
  told_count = 0;
  __plumb_bad_access(22, second.text + 10, 8);
  expect_told(PLUMB_DEFECT_ARRAY, 22, &second, 13);
  told_count = 0;
  expect(__plumb_check_block(23, &first, 5, 0) == 0, "a block across the end");
  expect_told(PLUMB_DEFECT_ARRAY, 23, &first, 4);
}

static const struct plumb_variable variables[] = {{32, 20, 71}, {96, 4, 72}};
static const struct plumb_frame frame = {128, 2, variables};

static void frames(void) {
  char* memory;
  char* again;
  uint32_t i;
  begin("frames");
  memory = __plumb_enter_frame(&frame);
  expect(memory != 0 && (uintptr_t)memory % 32 == 0, "a frame");
  expect(may_access(memory + 32, 8) && may_access(memory + 48, 4) && may_access(memory + 96, 4), "variables");
  expect(told_count == 0, "nothing is wrong");
  __plumb_bad_access(21, memory + 52, 1);
  expect_told(PLUMB_DEFECT_ARRAY, 21, memory + 32, 20);
  expect(told[0].a == 71, "the variable's site");
  told_count = 0;
  __plumb_leave_frame(&frame, memory);
  __plumb_bad_access(22, memory + 32, 4);
  expect_told(PLUMB_DEFECT_RETURNED, 22, memory + 32, 20);
  told_count = 0;
  for (i = 0; i < 1000; ++i) {
    again = __plumb_enter_frame(&frame);
    expect(again != 0, "frames are used again");
    if (again != 0) __plumb_leave_frame(&frame, again);
  }
  expect(refused_frames == 0, "all of them fit");
  for (i = 0; __plumb_enter_frame(&frame) != 0; ++i) expect(i < 100000, "frames come to an end");
  expect(i > 4, "some frames fit");
  expect(refused_frames == 1, "the one that does not is counted");
  expect(told_count == 0, "nothing is wrong");
}

static char* volatile hidden;

static void leaks(void) {
  char** object;
  begin("leaks");
  object = allocate(11, 2 * sizeof *object);
  object[0] = allocate(12, 20); /* reached through the first one alone */
  object[1] = 0;
  kept = object;
  hidden = allocate(13, 30);
  hidden = (char*)~(uintptr_t)hidden;
  __plumb_call_site = 0;
  plumb_allocate(50, 0, 0, nobody); /* of a library: never a leak */
  __plumb_entry_returned();
  plumb_check_leaks();
  expect_told(PLUMB_DEFECT_LEAK, 13, (void*)~(uintptr_t)hidden, 30);
  told_count = 0;
  memset(told, 0, sizeof told); /* data like any other where the linker tells of it */
  kept = 0;
  plumb_check_leaks();
  expect(told_count == 3, "all of the program's");
}

static void full_heap(void) {
  uint32_t i = 0;
  begin("full_heap");
  while (i < 100000 && allocate(11, 48) != 0) ++i;
  expect(i > 8 && i < 100000, "the heap comes to an end");
  expect(allocate(11, (size_t)1 << 28) == 0, "what is larger than the heap");
  expect(told_count == 0, "which is no defect");
  expect(refused_objects == 2, "but counted");
  __plumb_call_site = 12;
  expect(plumb_allocate_array(SIZE_MAX / 2, 3, nobody) == 0 && __plumb_call_site == 0, "an array that overflows");
  __plumb_call_site = 12;
  expect(plumb_allocate_aligned(SIZE_MAX, 3, nobody) == 0 && __plumb_call_site == 0, "an alignment that is none");
}

/* Neighbours that are free are one chunk, in whatever order they became so. */
static void whole_again(void) {
  static void* objects[4096];
  uint32_t way;
  for (way = 0; way < 2; ++way) {
    uint32_t count = 0;
    uint32_t i;
    begin("whole_again");
    while (count < 4096 && (objects[count] = allocate(11, 48)) != 0) ++count;
    for (i = 0; i < count; ++i) release(12, objects[way == 0 ? i : count - 1 - i]);
    expect(allocate(11, PLUMB_HEAP_BYTES / 3) != 0, "there is room for a large object where small ones were");
  }
}

static void as_before(void) {
  char* object;
  char* again;
  begin("as_before");
  object = allocate(11, 24);
  first.value = 1;
  second.text[0] = 'x';
  begin("as_before");
  again = allocate(11, 24);
  expect(again == object, "the same addresses");
  expect(plumb_block_number(again) == 1, "the same numbers");
  expect(first.value == 7 && strcmp(second.text, "hello, world") == 0 && kept == 0, "variables as at the start");
}

/* --- Random objects against what a program knows itself --- */

#define OBJECTS 24
static struct {
  uint8_t* at;
  size_t size;
  uint8_t value;
} live[OBJECTS];

static uint32_t state = 1;
static uint32_t random_below(uint32_t limit) {
  state = state * 1664525u + 1013904223u;
  return (state >> 8) % limit;
}

static void check_object(uint32_t i) {
  size_t j;
  for (j = 0; j < live[i].size; ++j) expect(live[i].at[j] == live[i].value, "the content stays");
  expect(__plumb_check_block(5, live[i].at, live[i].size, 0) == 1, "all of it may be accessed");
  expect(told_count == 0, "nothing is told");
  expect(__plumb_check_block(5, live[i].at, live[i].size + 1, 0) == 0, "one more byte may not");
  expect(told_count == 1 && told[0].object_base == (uintptr_t)live[i].at, "which is told of the object");
  told_count = 0;
}

static void random_objects(void) {
  uint32_t step;
  uint32_t i;
  begin("random_objects");
  memset(live, 0, sizeof live);
  for (step = 0; step < 20000 && failures < 10; ++step) {
    i = random_below(OBJECTS);
    if (live[i].at != 0) {
      check_object(i);
      if (random_below(3) == 0) {
        size_t size = 1 + random_below(200);
        uint8_t* moved = plumb_reallocate(live[i].at, size, nobody);
        if (moved == 0) continue;
        live[i].at = moved;
        memset(moved, live[i].value, size);
        live[i].size = size;
      } else {
        release(12, live[i].at);
        live[i].at = 0;
      }
    } else {
      live[i].size = 1 + random_below(random_below(8) == 0 ? 1500 : 100);
      live[i].value = (uint8_t)random_below(256);
      live[i].at = allocate(11, live[i].size);
      if (live[i].at == 0) continue;
      expect((uintptr_t)live[i].at % 16 == 0, "objects are aligned");
      memset(live[i].at, live[i].value, live[i].size);
    }
  }
}

int main(void) {
  plumb_begin_checks();
  plumb_set_stack_end((uintptr_t)__builtin_frame_address(0));
  heap_bounds();
  freed();
  freed_long_ago();
  reallocated();
  addresses();
  globals();
  frames();
  leaks();
  full_heap();
  whole_again();
  as_before();
  random_objects();
  if (failures == 0) printf("right\n");
  return failures != 0;
}
