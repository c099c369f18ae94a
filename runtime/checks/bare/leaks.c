/*
 * Heap objects that nothing points to when a run ends. Every aligned word of the module's variables, of other data that
 * the linker tells of, of live frames, of the stack between the loop and the end of the run, and of objects that are
 * reached may be a pointer; one to the end of an object counts. An object that was not allocated by instrumented code
 * is never a leak. Before the next run, what data leads to is what stays.
 */
#include "bare.h"

#pragma weak plumb_leaks_unknown

/* As newlib's and the vendors' linker scripts name them. The runtime's own data, where the link has put it together,
   does not count. */
extern char __data_start__[] __attribute__((weak));
extern char __data_end__[] __attribute__((weak));
extern char __bss_start__[] __attribute__((weak));
extern char __bss_end__[] __attribute__((weak));
extern char _sdata[] __attribute__((weak));
extern char _edata[] __attribute__((weak));
extern char _sbss[] __attribute__((weak));
extern char _ebss[] __attribute__((weak));
extern char __start_plumb_data[] __attribute__((weak));
extern char __stop_plumb_data[] __attribute__((weak));
extern char __start_plumb_bss[] __attribute__((weak));
extern char __stop_plumb_bss[] __attribute__((weak));

static uint32_t entry_returned;
static uint32_t marked; /* to scan: index + 1 of the first */

void __plumb_entry_returned(void) { entry_returned = 1; }
void plumb_reset_leaks(void) { entry_returned = 0; }

/* The program may have overwritten headers where it is not checked. */
static int is_sound(const struct plumb_block* block) {
  return block->index < plumb_entry_count && plumb_entry_of(block)->block == block &&
         plumb_block_size(block) <= PLUMB_WINDOW_END - plumb_object_of(block);
}

static void mark(struct plumb_block* block) {
  if ((block->state & PLUMB_MARKED) != 0) return;
  block->state |= (uint16_t)PLUMB_MARKED;
  if (!is_sound(block)) return;
  plumb_entry_of(block)->link = marked;
  marked = block->index + 1;
}

/* An object of no bytes has a first address too, and one past the end belongs to an object: there is room between. */
static struct plumb_block* find(uintptr_t word) {
  struct plumb_block* block;
  if (plumb_is_object(word) && plumb_is_live(plumb_block_at(word))) return plumb_block_at(word);
  block = plumb_find_block(word, PLUMB_HEAP_BYTES);
  return block != 0 ? block : plumb_find_block(word - 1, PLUMB_HEAP_BYTES);
}

static void scan(uintptr_t begin, uintptr_t end) {
  uintptr_t at = (begin + sizeof at - 1) & ~(sizeof at - 1);
  for (; at < end && end - at >= sizeof at; at += sizeof at) {
    uintptr_t word = *(const uintptr_t*)at;
    struct plumb_block* block = word >= plumb_heap.begin && word <= plumb_heap.end ? find(word) : 0;
    if (block != 0) mark(block);
  }
}

static void scan_marked(void) {
  while (marked != 0) {
    const struct plumb_entry* entry = &plumb_entries[marked - 1];
    uintptr_t object = plumb_object_of(entry->block);
    marked = entry->link;
    scan(object, object + plumb_block_size(entry->block));
  }
}

/* All of the range but what is the runtime's. */
static void without_own(uintptr_t begin, uintptr_t end) {
  const struct plumb_range own[] = {{(uintptr_t)__start_plumb_data, (uintptr_t)__stop_plumb_data},
                                    {(uintptr_t)__start_plumb_bss, (uintptr_t)__stop_plumb_bss},
                                    {(uintptr_t)plumb_window, PLUMB_WINDOW_END}};
  uint32_t i;
  for (i = 0; i < sizeof own / sizeof own[0]; ++i) {
    if (own[i].begin >= end || own[i].end <= begin || own[i].begin == own[i].end) continue;
    if (begin < own[i].begin) without_own(begin, own[i].begin);
    if (end > own[i].end) without_own(own[i].end, end);
    return;
  }
  scan(begin, end);
}

/* Gives 0 if the linker does not tell of the range. */
static int scan_between(const char* begin, const char* end) {
  if (begin == 0 || end == 0) return 0;
  without_own((uintptr_t)begin, (uintptr_t)end);
  return 1;
}

/* Gives 0 if there may be more that nobody tells of. */
static int scan_data(void) {
  int has_data = scan_between(__data_start__, __data_end__) | scan_between(_sdata, _edata);
  int has_zeros = scan_between(__bss_start__, __bss_end__) | scan_between(_sbss, _ebss);
  uint32_t i;
  for (i = 0; i < __plumb_image_count; ++i) {
    uintptr_t base = (uintptr_t)__plumb_images[i].base;
    scan(base, base + __plumb_images[i].size);
  }
  return has_data && has_zeros;
}

static void clear_marks(void) {
  uint32_t i;
  marked = 0;
  for (i = 0; i < plumb_entry_count; ++i) {
    struct plumb_block* block = plumb_live_block(i);
    if (block != 0) block->state &= (uint16_t)~PLUMB_MARKED;
  }
}

static void mark_library_objects(void) {
  uint32_t i;
  for (i = 0; i < plumb_entry_count; ++i) {
    struct plumb_block* block = plumb_live_block(i);
    if (block != 0 && (block->state & PLUMB_OF_PROGRAM) == 0) mark(block);
  }
}

void plumb_mark_kept(void) {
  clear_marks();
  if (!scan_data()) mark_library_objects();
  scan_marked();
}

static int has_unmarked(void) {
  uint32_t i;
  for (i = 0; i < plumb_entry_count; ++i) {
    const struct plumb_block* block = plumb_live_block(i);
    if (block != 0 && (block->state & PLUMB_MARKED) == 0) return 1;
  }
  return 0;
}

/* Of the stack that counts only what is above this function: its own variables lead to all objects. */
__attribute__((noinline)) static void search(void) {
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  int is_certain = entry_returned || plumb_stack_end(here) != 0;
  if (plumb_program_count == 0) return;
  clear_marks();
  is_certain &= scan_data();
  mark_library_objects();
  if (!entry_returned) {
    scan(here, plumb_stack_end(here));
    plumb_visit_frames(here, scan);
  }
  scan_marked();
  if (is_certain) {
    plumb_tell_leaks(entry_returned);
  } else if (has_unmarked() && plumb_leaks_unknown != 0) {
    plumb_leaks_unknown();
  }
}

/* Puts the registers of callers on the stack. On ARM the builtin takes along those of an FPU that there may not be. */
#if defined(__arm__)
#define SAVE_REGISTERS() __asm__ volatile("" ::: "r4", "r5", "r6", "r8", "r9", "r10", "r11", "memory")
#else
#define SAVE_REGISTERS() __builtin_unwind_init()
#endif

void plumb_check_leaks(void) {
  SAVE_REGISTERS();
  search();
  __asm__ volatile(""); /* no tail call */
}
