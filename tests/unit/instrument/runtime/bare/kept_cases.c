/*
 * What stays on the heap of bare metal from one run to the next, and what is said of leaks, with a linker that tells of
 * data (DATA_IS_KNOWN) and without. Prints what failed.
 */
#include <stdio.h>
#include <string.h>

#include "runtime/checks/bare/bare.h"
#include "runtime/checks/bare/board_ranges.h"

const struct plumb_board_range plumb_board_ranges[] = {{0, 0}};
const uint32_t plumb_board_range_count = 0;
const struct plumb_padded_global __plumb_padded_globals[] = {{0, 0, 0}};
const uint32_t __plumb_padded_global_count = 0;
static void* of_module;
const struct plumb_image __plumb_images[] = {{&of_module, 0, sizeof of_module}};
const uint32_t __plumb_image_count = 1;

/* Data of a library, as the linker script tells of it. */
void* library_data[8];
#if defined(DATA_IS_KNOWN)
#define KNOWN 1
#define WORD __SIZEOF_POINTER__
#define TEXT_OF(word) #word
#define TEXT(word) TEXT_OF(word)
__asm__(".globl _sbss\n.set _sbss, library_data + 4 * " TEXT(WORD) "\n"
        ".globl _ebss\n.set _ebss, library_data + 8 * " TEXT(WORD) "\n"
        ".globl __data_start__\n.set __data_start__, library_data\n"
        ".globl __data_end__\n.set __data_end__, library_data + 4 * " TEXT(WORD) "\n");
#else
#define KNOWN 0
#endif

/* --- What is told --- */

static uint32_t told_count;
static uint32_t unknown_count;
static uint32_t refused_count;

void plumb_tell_defect(const struct plumb_defect_record* defect) {
  (void)defect;
  ++told_count;
}
void plumb_tell_watched(uint32_t site, const void* address, uint32_t access, const void* base, size_t size,
                        uint32_t size_id) {
  (void)site, (void)address, (void)access, (void)base, (void)size, (void)size_id;
}
void plumb_leaks_unknown(void) { ++unknown_count; }
void plumb_object_refused(void) { ++refused_count; }

static int failures;
static const char* case_name;

static void expect(int condition, const char* what) {
  if (condition) return;
  ++failures;
  printf("%s: %s\n", case_name, what);
}

/* --- Runs --- */

static struct plumb_caller nobody;

static void* allocate(uint32_t site, size_t size) {
  __plumb_call_site = site;
  return plumb_allocate(size, 0, 0, nobody);
}
static void* allocate_in_library(size_t size) { return allocate(0, size); }

static int is_all(const uint8_t* bytes, size_t size, uint8_t value) {
  size_t i;
  for (i = 0; i < size; ++i)
    if (bytes[i] != value) return 0;
  return 1;
}

static void next_run(void) {
  plumb_restore_globals();
  plumb_reset_checks();
  told_count = 0;
  unknown_count = 0;
  refused_count = 0;
}

static void begin(const char* name) {
  case_name = name;
  memset(library_data, 0, sizeof library_data);
  next_run();
  next_run(); /* what nothing leads to is gone, whatever was known of it before */
}

static void kept(void) {
  uint8_t* program;
  uint8_t** first;
  uint8_t* second;
  begin("kept");
  program = allocate(11, 100);
  first = allocate_in_library(40);
  second = allocate_in_library(60);
  memset(first, 0, 40);
  memset(second, 0x5a, 60);
  first[1] = second;
  library_data[6] = (uint8_t*)first + 40; /* its end */
  of_module = program;
  next_run();
  expect(of_module == 0, "variables of the module are restored");
  expect(first[1] == second && is_all(second, 60, 0x5a), "what a library keeps stays");
  expect(__plumb_check_block(1, first, 40, 1) == 1 && __plumb_check_block(1, second, 60, 1) == 1, "with its memory");
  expect(told_count == 0, "nothing is wrong");
  expect(__plumb_check_block(1, second, 61, 1) == 0 && told_count == 1, "and its end");
  told_count = 0;
  expect(allocate(11, 100) == program && plumb_block_number(program) == 1, "the program's objects are as before");
  of_module = program;
  memset(program, 1, 100);
  expect(is_all(second, 60, 0x5a), "nobody else has the memory");
  __plumb_entry_returned();
  plumb_check_leaks();
  expect(told_count == 0 && unknown_count == 0, "it does not leak");
  plumb_release(second, nobody);
  first[1] = 0;
  expect(told_count == 0, "a library may free what it has kept");
  next_run();
  expect(__plumb_check_block(1, second, 1, 1) == 0, "then it is gone");
}

/* As with setvbuf(). */
static void given_to_library(void) {
  uint8_t* buffer;
  begin("given_to_library");
  library_data[2] = buffer = allocate(11, 50);
  memset(buffer, 7, 50);
  next_run();
  expect(allocate(11, 50) != buffer, "the memory is not given away");
  expect(is_all(buffer, 50, 7) && __plumb_check_block(1, buffer, 50, 1), "what a library has stays");
  __plumb_entry_returned();
  library_data[2] = 0;
  plumb_check_leaks();
  expect(told_count == 1, "only what this run has allocated leaks");
  next_run();
  expect(allocate(11, 50) == buffer, "what no library has any more goes");
}

static void many_runs(void) {
  uint32_t run;
  begin("many_runs");
  for (run = 0; run < 1000 && failures < 10; ++run) {
    size_t size = 20 + run % 50;
    void* large = allocate(11, PLUMB_HEAP_BYTES / 2);
    expect(large != 0 && plumb_block_number(large) == 1, "there is room in every run");
    allocate(12, 30);
    library_data[1] =
        library_data[1] == 0 ? allocate_in_library(size) : plumb_reallocate(library_data[1], size, nobody);
    memset(library_data[1], 3, size);
    if (KNOWN) allocate_in_library(90); /* of a run that ended in the middle of a function */
    expect(refused_count == 0, "nothing is refused");
    next_run();
    expect(is_all(library_data[1], size, 3), "what is kept stays");
  }
}

static void overwritten(void) {
  struct plumb_block* blocks[3];
  uint32_t i;
  begin("overwritten");
  for (i = 0; i < 3; ++i) {
    library_data[i] = allocate_in_library(64);
    blocks[i] = plumb_block_at((uintptr_t)library_data[i]);
  }
  blocks[0]->size_low = 0xffffffffu;
  blocks[1]->index = 0xffffffu;
  blocks[2]->size_low = PLUMB_HEAP_BYTES / 2;
  next_run();
  memset(library_data, 0, sizeof library_data);
  next_run();
  expect(allocate(11, PLUMB_HEAP_BYTES * 3 / 4) != 0, "headers that were overwritten do not stay");
}

static void verdict(void) {
  begin("verdict");
  of_module = (char*)allocate(11, 24) + 24;
  __plumb_entry_returned();
  plumb_check_leaks();
  expect(told_count == 0 && unknown_count == 0, "what is reached is no question");
  of_module = 0;
  plumb_check_leaks();
  expect(told_count == KNOWN && unknown_count == !KNOWN, "a leak is told where all data is known, else counted");
}

int main(void) {
  plumb_begin_checks();
  plumb_set_stack_end((uintptr_t)__builtin_frame_address(0));
  if (KNOWN) {
    kept();
    given_to_library();
    overwritten();
  }
  many_runs();
  verdict();
  if (failures == 0) printf("right\n");
  return failures != 0;
}
