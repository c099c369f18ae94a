/*
 * Heap objects that nothing points to when a run ends. Every aligned word of the module's variables, of other data that
 * the linker tells of, of live frames, of the stack between the loop and the end of the run, and of objects that are
 * reached may be a pointer. An object that was not allocated by instrumented code is never a leak.
 */
#include "bare.h"

/* As newlib's and the vendors' linker scripts name them. The runtime's own data, where the link has put it together,
   does not count. */
extern char __data_start__[] __attribute__((weak));
extern char __data_end__[] __attribute__((weak));
extern char __bss_start__[] __attribute__((weak));
extern char __bss_end__[] __attribute__((weak));
extern char __start_plumb_data[] __attribute__((weak));
extern char __stop_plumb_data[] __attribute__((weak));
extern char __start_plumb_bss[] __attribute__((weak));
extern char __stop_plumb_bss[] __attribute__((weak));

static uint32_t entry_returned;
static uint32_t marked; /* to scan: index + 1 of the first */

void __plumb_entry_returned(void) { entry_returned = 1; }
void plumb_reset_leaks(void) { entry_returned = 0; }

static void mark(struct plumb_block* block) {
  if ((block->state & PLUMB_MARKED) != 0) return;
  block->state |= (uint16_t)PLUMB_MARKED;
  plumb_entry_of(block)->link = marked;
  marked = block->index + 1;
}

/* An object of no bytes has a first address too. */
static struct plumb_block* find(uintptr_t word) {
  if (plumb_is_object(word) && plumb_is_live(plumb_block_at(word))) return plumb_block_at(word);
  return plumb_find_block(word, PLUMB_HEAP_BYTES);
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

static void scan_data(void) {
  uint32_t i;
  for (i = 0; i < __plumb_image_count; ++i) {
    uintptr_t base = (uintptr_t)__plumb_images[i].base;
    scan(base, base + __plumb_images[i].size);
  }
  without_own((uintptr_t)__data_start__, (uintptr_t)__data_end__);
  without_own((uintptr_t)__bss_start__, (uintptr_t)__bss_end__);
}

static void prepare(void) {
  uint32_t i;
  marked = 0;
  for (i = 0; i < plumb_entry_count; ++i) {
    struct plumb_block* block = plumb_live_block(i);
    if (block == 0) continue;
    block->state &= (uint16_t)~PLUMB_MARKED;
    if ((block->state & PLUMB_OF_PROGRAM) == 0) mark(block);
  }
}

/* Of the stack that counts only what is above this function: its own variables lead to all objects. */
__attribute__((noinline)) static void search(void) {
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  if (plumb_program_count == 0 || (!entry_returned && plumb_stack_end(here) == 0)) return;
  prepare();
  scan_data();
  if (!entry_returned) {
    scan(here, plumb_stack_end(here));
    plumb_visit_frames(here, scan);
  }
  scan_marked();
  plumb_tell_leaks(entry_returned);
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
