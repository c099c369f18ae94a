/*
 * The map of addressability: a byte a unit of 8 bytes for the whole address
 * space, of which only what was written to takes memory. It is 0 wherever
 * nobody said otherwise, so that memory which this runtime does not know may be
 * accessed.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "internal.h"

#define EXIT_NO_MAP 3
#define MAP_SIZE ((size_t)((PLUMB_ADDRESS_END - 1) >> PLUMB_UNIT_BITS) + 1)
#if !defined(MAP_FIXED_NOREPLACE)
#define MAP_FIXED_NOREPLACE 0x100000
#endif

uint32_t plumb_is_mapped;
PLUMB_THREAD_LOCAL uint32_t plumb_is_first_thread;

#define WORD_BYTES (sizeof(plumb_word) * PLUMB_UNIT)

/* Behind a watched unit there is poison, or bytes of the last one that are not
 * the object's. */
static uintptr_t end_of_watched(uintptr_t address) {
  const struct plumb_block* block = plumb_block_before(address, (uintptr_t)-1);
  return block != 0 ? plumb_object_of(block) + plumb_block_size(block) : address;
}

uintptr_t plumb_first_bad(uintptr_t begin, uintptr_t end, int* is_watched) {
  uintptr_t at = begin;
  while (at < end) {
    const uint8_t* unit = (const uint8_t*)PLUMB_ADDRESSABLE(at);
    if (*unit == 0) {
      at = (at & ~(PLUMB_UNIT - 1)) + PLUMB_UNIT;
      while (at < end && end - at >= WORD_BYTES && *(const plumb_word*)(const void*)PLUMB_ADDRESSABLE(at) == 0)
        at += WORD_BYTES;
    } else if (*unit == PLUMB_POISON_WATCHED) {
      uintptr_t object_end = end_of_watched(at);
      *is_watched = 1;
      if (object_end <= at) return at;
      at = object_end;
    } else {
      uintptr_t partial_end = (at & ~(PLUMB_UNIT - 1)) + *unit;
      if (*unit >= PLUMB_UNIT || at >= partial_end) return at;
      at = partial_end;
    }
  }
  return end;
}

/* --- The runtime's own memory --- */

/* Not in core files, and never in huge pages: a run touches little of it. */
static void* map_at(uintptr_t address, size_t size, int flags) {
#if PLUMB_PARTIAL_MAP
  void* (*const map)(void*, size_t, int, int, int, int64_t) = plumb_map_pages;
#else
  void* (*const map)(void*, size_t, int, int, int, off_t) = mmap;
#endif
  void* memory =
      map((void*)address, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | flags, -1, 0);
  if (memory == MAP_FAILED) return 0;
  madvise(memory, size, MADV_DONTDUMP);
  madvise(memory, size, MADV_NOHUGEPAGE);
  return memory;
}

#define MOST_OWN 64u
static struct plumb_range own[MOST_OWN];
static uint32_t own_count;

/* Gives 0 if there is no room to note it. */
static int tell_own(uintptr_t begin, uintptr_t end) {
  uint32_t i;
  for (i = 0; i < own_count; ++i) {
    if (own[i].end == begin) {
      own[i].end = end;
      return 1;
    }
    if (own[i].begin == end) {
      own[i].begin = begin;
      return 1;
    }
  }
  if (own_count == MOST_OWN) return 0;
  own[own_count].begin = begin;
  own[own_count].end = end;
  ++own_count;
  return 1;
}

void* plumb_map_memory(size_t size) {
  int error = errno;
  void* memory = own_count < MOST_OWN ? map_at(0, size, 0) : 0;
  if (memory != 0 && !plumb_cover((uintptr_t)memory, (uintptr_t)memory + size)) {
    munmap(memory, size);
    memory = 0;
  }
  if (memory != 0) tell_own((uintptr_t)memory, (uintptr_t)memory + size);
  errno = error;
  return memory;
}

const struct plumb_range* plumb_own_memory(uint32_t* count) {
  *count = own_count;
  return own;
}

/* Kernels that do not know the flag give another place. */
int plumb_map_own(uintptr_t begin, uintptr_t end) {
  void* memory = map_at(begin, end - begin, MAP_FIXED_NOREPLACE);
  if (memory == (void*)begin && tell_own(begin, end)) return 1;
  if (memory != 0) munmap(memory, end - begin);
  return 0;
}

#if !PLUMB_PARTIAL_MAP
/* The map of the map itself: what a program accesses there is none of its own, and looking it up faults. */
#define PAGE ((uintptr_t)4096)
#define HOLE_BEGIN (((uintptr_t)PLUMB_ADDRESSABLE(PLUMB_MAP_OFFSET) + PAGE - 1) & ~(PAGE - 1))
#define HOLE_END ((uintptr_t)PLUMB_ADDRESSABLE(PLUMB_MAP_OFFSET + MAP_SIZE) & ~(PAGE - 1))

static int map_all(void) {
  return plumb_map_own(PLUMB_MAP_OFFSET, PLUMB_MAP_OFFSET + MAP_SIZE) &&
         mprotect((void*)HOLE_BEGIN, HOLE_END - HOLE_BEGIN, PROT_NONE) == 0;
}

int plumb_cover_fault(uintptr_t* address) {
  if (*address >= HOLE_BEGIN && *address < HOLE_END) *address = (*address - PLUMB_MAP_OFFSET) << PLUMB_UNIT_BITS;
  return 0;
}
#endif

extern const char __executable_start[];
extern const char _end[];

int plumb_is_global(uintptr_t base) { return base >= (uintptr_t)__executable_start && base < (uintptr_t)_end; }

static void map_the_map(void) {
  static const char message[] = "plumb: there is no address space for the map of addressability\n";
#if PLUMB_PARTIAL_MAP
  if (plumb_cover_process()) return;
#else
  if (map_all()) return;
#endif
  syscall(SYS_write, STDERR_FILENO, message, sizeof message - 1);
  _exit(EXIT_NO_MAP);
}

static void poison_globals(void) {
  uint32_t count = plumb_global_count();
  uint32_t i;
  for (i = 0; i < count; ++i) {
    const struct plumb_padded_global* global = &__plumb_padded_globals[i];
    uintptr_t base = (uintptr_t)global->base;
    plumb_poison_behind(base, global->size, (base + global->room) & ~(PLUMB_UNIT - 1), PLUMB_POISON_GLOBAL);
  }
}

void plumb_begin_checks(void) {
  uintptr_t null = 0;
  __asm__("" : "+r"(null)); /* compilers warn of accesses by constant addresses */
  if (plumb_is_mapped) return;
  map_the_map();
  plumb_is_first_thread = 1;
  plumb_prepare_stacks();
  plumb_prepare_frames();
  plumb_set_units(null, null + PLUMB_NULL_SIZE, PLUMB_POISON_NULL);
  poison_globals();
  plumb_poison_heap();
}
