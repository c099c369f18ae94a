/*
 * The map where it cannot be there as a whole. On 64-bit machines other than x86-64 nobody knows before the program
 * runs how large its address space is (39, 42, 47 or 48 bits), and emulators keep a record of every page. So the map is
 * made in pieces: those around what the process consists of when it starts, those of new heap objects and mappings, and
 * the others when an access to the map itself faults, unless the program has a handler of its own for that.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "internal.h"

#if PLUMB_PARTIAL_MAP

/* Of the map; eight times as much memory. */
#define PIECE ((uintptr_t)1 << 27)
/* On each side of what is there at the start. */
#define REACH ((uintptr_t)1 << 31)
#define LARGEST_PAGE ((uintptr_t)1 << 16)

#define MAP_BEGIN ((uintptr_t)PLUMB_MAP_OFFSET & ~(LARGEST_PAGE - 1))
#define MAP_END ((PLUMB_ADDRESS_END >> PLUMB_UNIT_BITS) + PLUMB_MAP_OFFSET)

extern const char __executable_start[];
extern void* __libc_stack_end;

static int is_covered(uintptr_t at) {
  uint32_t count;
  const struct plumb_range* own = plumb_own_memory(&count);
  uint32_t i;
  for (i = 0; i < count; ++i)
    if (at >= own[i].begin && at < own[i].end) return 1;
  return 0;
}

static int cover_piece(uintptr_t at) {
  const int patience = 1000;
  uintptr_t begin = at & ~(PIECE - 1);
  int attempt;
  if (is_covered(at)) return 1;
  if (plumb_map_own(begin < MAP_BEGIN ? MAP_BEGIN : begin, begin + PIECE)) return 1;
  /* Another thread may be about to tell of the piece that it has made. */
  for (attempt = 0; attempt < patience; ++attempt) {
    if (is_covered(at)) return 1;
    sched_yield();
  }
  return 0;
}

int plumb_cover(uintptr_t begin, uintptr_t end) {
  uintptr_t at = (uintptr_t)PLUMB_ADDRESSABLE(begin);
  uintptr_t final = (uintptr_t)PLUMB_ADDRESSABLE(end - 1);
  int error = errno;
  int is_whole = 1;
  for (; is_whole && at < final; at = (at | (PIECE - 1)) + 1) is_whole = cover_piece(at);
  is_whole = is_whole && cover_piece(final);
  errno = error;
  return is_whole;
}

int plumb_cover_fault(uintptr_t* address) {
  uintptr_t at = *address;
  int error = errno;
  int is_made;
  if (at < MAP_BEGIN || at >= MAP_END || is_covered(at)) return 0;
  /* An access that was looked up before; what is looked up is not. */
  if (is_covered((uintptr_t)PLUMB_ADDRESSABLE(at))) return 0;
  is_made = cover_piece(at);
  errno = error;
  if (!is_made) *address = (at - PLUMB_MAP_OFFSET) << PLUMB_UNIT_BITS;
  return is_made;
}

static int cover_around(uintptr_t address) {
  uintptr_t begin = address > REACH ? address - REACH : 0;
  uintptr_t end = PLUMB_ADDRESS_END - address > REACH ? address + REACH : PLUMB_ADDRESS_END;
  /* Nothing grows into the map. */
  if (address < MAP_BEGIN && end > MAP_BEGIN) end = MAP_BEGIN;
  if (!plumb_cover(address, address + 1)) return 0;
  /* An address space may end before, and what is there already may be in the way. */
  for (; begin < address; begin += PIECE << PLUMB_UNIT_BITS) plumb_cover(begin, begin + 1);
  plumb_cover(address, end);
  return 1;
}

/* The program, its heap, its libraries and other mappings, the stack. */
int plumb_cover_process(void) {
  int here;
  return plumb_cover(0, PLUMB_NULL_SIZE) && cover_around((uintptr_t)__executable_start) &&
         cover_around((uintptr_t)sbrk(0)) && cover_around((uintptr_t)&errno) && cover_around((uintptr_t)&here) &&
         cover_around((uintptr_t)__libc_stack_end);
}

/* --- Mappings that the program makes --- */

#define EXPORTED __attribute__((weak, visibility("default")))

EXPORTED void* mmap64(void* at, size_t size, int protection, int flags, int descriptor, off64_t offset);
EXPORTED void* mmap(void* at, size_t size, int protection, int flags, int descriptor, off_t offset);

void* plumb_map_pages(void* at, size_t size, int protection, int flags, int descriptor, int64_t offset) {
#if defined(__s390x__)
  /* That machine's call has its arguments in memory. */
  unsigned long words[6] = {(unsigned long)at, size, (unsigned long)protection, (unsigned long)flags, 0, 0};
  words[4] = (unsigned long)descriptor;
  words[5] = (unsigned long)offset;
  return (void*)syscall(SYS_mmap, words);
#else
  return (void*)syscall(SYS_mmap, at, size, protection, flags, descriptor, offset);
#endif
}

/* Address space that is only reserved may be more than there can be a map for. */
void* mmap64(void* at, size_t size, int protection, int flags, int descriptor, off64_t offset) {
  void* mapping = plumb_map_pages(at, size, protection, flags, descriptor, offset);
  uintptr_t begin = (uintptr_t)mapping;
  if (mapping != MAP_FAILED && plumb_is_mapped && size != 0) plumb_cover(begin, begin + (size < REACH ? size : REACH));
  return mapping;
}

void* mmap(void* at, size_t size, int protection, int flags, int descriptor, off_t offset) {
  return mmap64(at, size, protection, flags, descriptor, offset);
}

#else
typedef int plumb_map_is_whole;
#endif
