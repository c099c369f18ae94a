/*
 * Heap objects of the program that nothing points to when it ends. Marking is
 * conservative: every aligned word of the writable segments of all loaded
 * objects, of thread-local variables, of the live stack and frames, and of what
 * the C library allocated may be a pointer; one into the middle of an object
 * counts, and one to its end. Only if something is left over are other mappings looked at, which
 * may hold pointers too. Without certainty (other threads, another stack) there
 * is no verdict.
 *
 * The runtime's own data does not count: the link puts it into sections of its
 * own.
 */
#define _GNU_SOURCE
#include <gnu/libc-version.h>
#include <link.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/single_threaded.h>
#include <unistd.h>

#include "internal.h"
#include "kernel.h"

/* From this size on objects are found by search, below by a walk over the map.
 */
#define LARGE ((size_t)1 << 14)

extern char __start_plumb_data[] __attribute__((weak));
extern char __stop_plumb_data[] __attribute__((weak));
extern char __start_plumb_bss[] __attribute__((weak));
extern char __stop_plumb_bss[] __attribute__((weak));

static uint32_t entry_returned;

void __plumb_entry_returned(void) { entry_returned = 1; }

/* --- Which object a word points into --- */

/* Small objects: those of the main heap, and those elsewhere. */
static struct plumb_range small[2];
/* Where any object is. */
static struct plumb_range all;
/* Large ones, by rising address. */
static struct plumb_block** large;
static uint32_t large_count;

static void widen(struct plumb_range* range, uintptr_t begin, uintptr_t end) {
  if (range->end == 0 || begin < range->begin) range->begin = begin;
  if (end > range->end) range->end = end;
}

static int is_in(const struct plumb_range* range, uintptr_t word) { return word >= range->begin && word < range->end; }

static void sift_down(uint32_t root, uint32_t count) {
  for (;;) {
    uint32_t child = 2 * root + 1;
    struct plumb_block* swapped = large[root];
    if (child >= count) return;
    if (child + 1 < count && large[child] < large[child + 1]) ++child;
    if (large[root] >= large[child]) return;
    large[root] = large[child];
    large[child] = swapped;
    root = child;
  }
}

static void sort_large(void) {
  uint32_t i;
  for (i = large_count / 2; i-- > 0;) sift_down(i, large_count);
  for (i = large_count; i-- > 1;) {
    struct plumb_block* last = large[0];
    large[0] = large[i];
    large[i] = last;
    sift_down(0, i);
  }
}

static int is_large(const struct plumb_block* block) { return plumb_block_size(block) >= LARGE; }

/* Gives 0 if there is no memory for it. */
static int list_objects(void) {
  uintptr_t heap_end = (uintptr_t)sbrk(0);
  uint32_t i;
  small[0].end = small[1].end = all.end = 0;
  large_count = 0;
  for (i = 0; i < plumb_entry_count; ++i) {
    struct plumb_block* block = plumb_live_block(i);
    uintptr_t object = plumb_object_of(block);
    if (block == 0) continue;
    block->state &= (uint16_t)~PLUMB_MARKED;
    widen(&all, object, object + plumb_block_size(block) + 1);
    if (is_large(block)) {
      ++large_count;
    } else {
      widen(&small[object >= heap_end], object, object + plumb_block_size(block) + 1);
    }
  }
  if (large_count == 0) return 1;
  large = plumb_map_memory(large_count * sizeof *large);
  if (large == 0) return 0;
  large_count = 0;
  for (i = 0; i < plumb_entry_count; ++i) {
    struct plumb_block* block = plumb_live_block(i);
    if (block != 0 && is_large(block)) large[large_count++] = block;
  }
  sort_large();
  return 1;
}

static struct plumb_block* find_large(uintptr_t word) {
  uint32_t low = 0;
  uint32_t high = large_count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (plumb_object_of(large[middle]) <= word) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low == 0) return 0;
  return word - plumb_object_of(large[low - 1]) < plumb_block_size(large[low - 1]) ? large[low - 1] : 0;
}

/* An object of no bytes has a first address too. */
static struct plumb_block* find_small(uintptr_t word) {
  uintptr_t start = word & ~(PLUMB_UNIT - 1);
  struct plumb_block* block = plumb_block_at(start);
  if (plumb_unit(start - PLUMB_UNIT) != PLUMB_POISON_HEAD || plumb_unit(start) == PLUMB_POISON_HEAD)
    return plumb_find_block(word, LARGE + PLUMB_UNIT);
  return plumb_is_live(block) && (word == start || word - start < plumb_block_size(block)) ? block : 0;
}

/* --- Marking --- */

static uint32_t marked; /* to scan: index + 1 of the first */

static void mark(struct plumb_block* block) {
  if ((block->state & PLUMB_MARKED) != 0) return;
  block->state |= (uint16_t)PLUMB_MARKED;
  plumb_entry_of(block)->link = marked;
  marked = block->index + 1;
}

/* The data of the C library, with what its allocator keeps. */
static struct plumb_range library;

static struct plumb_block* find(uintptr_t word) {
  struct plumb_block* block = 0;
  if (is_in(&small[0], word) || is_in(&small[1], word)) block = find_small(word);
  if (block == 0 && large_count != 0) block = find_large(word);
  return block;
}

/* `at`: where the word was found. One past the end belongs to the object, too. */
static void mark_word(uintptr_t word, uintptr_t at) {
  struct plumb_block* block = find(word);
  if (block == 0) block = find(word - 1);
  if (block != 0 && !(is_in(&library, at) && plumb_is_of_next(block, word))) mark(block);
}

static void scan(uintptr_t begin, uintptr_t end) {
  const struct plumb_range where = all;
  uintptr_t at = (begin + sizeof at - 1) & ~(sizeof at - 1);
  for (; at < end && end - at >= sizeof at; at += sizeof at) {
    uintptr_t word = *(const uintptr_t*)at;
    if (word - where.begin < where.end - where.begin) mark_word(word, at);
  }
}

#define PAGES 512u

/* Pages that nobody has touched hold nothing, and there may be very many. */
static void scan_pages(uintptr_t begin, uintptr_t end) {
  const uintptr_t size = plumb_page_size();
  unsigned char states[PAGES];
  while (begin < end) {
    uintptr_t page = begin & ~(size - 1);
    uintptr_t stop = end - page > PAGES * size ? page + PAGES * size : end;
    int is_known = mincore((void*)page, stop - page, states) == 0;
    for (; page < stop; page += size) {
      if (is_known && (states[(page - (begin & ~(size - 1))) / size] & 1) == 0) continue;
      scan(page < begin ? begin : page, stop - page < size ? stop : page + size);
    }
    begin = stop;
  }
}

static void scan_marked(void) {
  while (marked != 0) {
    const struct plumb_entry* entry = &plumb_entries[marked - 1];
    uintptr_t object = plumb_object_of(entry->block);
    uintptr_t end = object + plumb_block_size(entry->block);
    marked = entry->link;
    if (end - object < (uintptr_t)1 << 21) {
      scan(object, end);
    } else {
      scan_pages(object, end);
    }
  }
}

/* --- Where pointers may be --- */

/* All of the range but what is the runtime's; `scan_part` is given what is
 * left. */
static void without_own(uintptr_t begin, uintptr_t end, void (*scan_part)(uintptr_t, uintptr_t)) {
  const struct plumb_range own[2] = {{(uintptr_t)__start_plumb_data, (uintptr_t)__stop_plumb_data},
                                     {(uintptr_t)__start_plumb_bss, (uintptr_t)__stop_plumb_bss}};
  uint32_t i;
  for (i = 0; i < 2; ++i) {
    if (own[i].begin >= end || own[i].end <= begin || own[i].begin == own[i].end) continue;
    if (begin < own[i].begin) without_own(begin, own[i].begin, scan_part);
    if (end > own[i].end) without_own(own[i].end, end, scan_part);
    return;
  }
  scan_part(begin, end);
}

/* The text is the library's own; the address of one of its functions may lie in the program, which calls it there. */
static int find_library(struct dl_phdr_info* info, size_t size, void* unused) {
  uintptr_t text = (uintptr_t)gnu_get_libc_version() - info->dlpi_addr;
  int is_library = 0;
  uint32_t i;
  (void)size, (void)unused;
  for (i = 0; i < info->dlpi_phnum; ++i)
    is_library |=
        info->dlpi_phdr[i].p_type == PT_LOAD && text - info->dlpi_phdr[i].p_vaddr < info->dlpi_phdr[i].p_memsz;
  for (i = 0; is_library && i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)* header = &info->dlpi_phdr[i];
    uintptr_t begin = info->dlpi_addr + header->p_vaddr;
    if (header->p_type == PT_LOAD && (header->p_flags & PF_W) != 0) widen(&library, begin, begin + header->p_memsz);
  }
  return is_library;
}

static int scan_segments(struct dl_phdr_info* info, size_t size, void* unused) {
  uint32_t i;
  (void)unused;
  for (i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)* header = &info->dlpi_phdr[i];
    uintptr_t begin = info->dlpi_addr + header->p_vaddr;
    if (header->p_type == PT_LOAD && (header->p_flags & PF_W) != 0) without_own(begin, begin + header->p_memsz, scan);
    if (header->p_type == PT_TLS && size >= sizeof *info && info->dlpi_tls_data != 0)
      scan((uintptr_t)info->dlpi_tls_data, (uintptr_t)info->dlpi_tls_data + header->p_memsz);
  }
  return 0;
}

/* Keys beyond these are kept in memory that the C library allocated. */
#define FIRST_KEYS 32u

static void scan_keys(void) {
  pthread_key_t key;
  for (key = 0; key < FIRST_KEYS; ++key) mark_word((uintptr_t)pthread_getspecific(key), 0);
}

static void mark_library_objects(void) {
  uint32_t i;
  for (i = 0; i < plumb_entry_count; ++i) {
    struct plumb_block* block = plumb_live_block(i);
    if (block != 0 && (block->state & PLUMB_OF_PROGRAM) == 0) mark(block);
  }
}

static void scan_stack(uintptr_t here) {
  scan(here, plumb_stack_end(here));
  plumb_visit_frames(here, scan);
}

static uint32_t unmarked(void) {
  uint32_t count = 0;
  uint32_t i;
  for (i = 0; i < plumb_entry_count; ++i) {
    const struct plumb_block* block = plumb_live_block(i);
    count += block != 0 && (block->state & PLUMB_MARKED) == 0;
  }
  return count;
}

/* --- Other mappings --- */

/* Live objects are scanned when they are marked. */
static void scan_between_objects(uintptr_t begin, uintptr_t end) {
  uint32_t i;
  for (i = 0; i < large_count; ++i) {
    uintptr_t object = plumb_object_of(large[i]);
    uintptr_t behind = object + plumb_block_size(large[i]);
    if (behind <= begin || object >= end) continue;
    if (object > begin) scan_pages(begin, object);
    begin = behind;
  }
  if (begin < end) scan_pages(begin, end);
}

static void scan_mapping(uintptr_t begin, uintptr_t end) {
  uint32_t count;
  const struct plumb_range* own = plumb_own_memory(&count);
  uint32_t i;
  for (i = 0; i < count; ++i) {
    if (own[i].begin >= end || own[i].end <= begin) continue;
    if (begin < own[i].begin) scan_mapping(begin, own[i].begin);
    if (end > own[i].end) scan_mapping(own[i].end, end);
    return;
  }
  without_own(begin, end, scan_between_objects);
}

/* --- The verdict --- */

static int is_certain(uintptr_t here) {
  if (!plumb_is_mapped || !plumb_is_first_thread) return 0;
  if (!entry_returned && plumb_stack_end(here) == 0) return 0;
  return __libc_single_threaded || plumb_thread_count() == 1;
}

/* Of the stack that counts only what is above this function: its own variables
 * lead to all objects. */
__attribute__((noinline)) static void search(void) {
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  if (plumb_program_count == 0 || !is_certain(here) || !list_objects()) return;
  marked = 0;
  dl_iterate_phdr(find_library, 0);
  dl_iterate_phdr(scan_segments, 0);
  scan_keys();
  mark_library_objects();
  if (!entry_returned) scan_stack(here);
  scan_marked();
  if (unmarked() == 0) return;
  if (!plumb_visit_mappings(scan_mapping)) return;
  scan_marked();
  plumb_tell_leaks(entry_returned);
}

/* Has the registers of its callers on the stack. */
void plumb_check_leaks(void) {
  __builtin_unwind_init();
  search();
  __asm__ volatile(""); /* no tail call */
}
