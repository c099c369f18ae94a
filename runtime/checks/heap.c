/*
 * The heap of the whole process, on top of the C library's allocator. A chunk
 * of that one holds
 *
 *     room for alignment | header, 32 bytes | the object | room of 16 bytes and
 * more
 *
 * and all but the object is poisoned, with a poison of its own for the header:
 * from an address inside an object the map leads back to its header, and
 * whether an address is an object's first is seen at once. What is freed stays
 * poisoned in a quarantine, first in first out. Invariant: the map is 0 for all
 * memory that no chunk of ours holds, so that neither new objects nor other
 * users of the memory need to clear it.
 */
#define _GNU_SOURCE
#include <errno.h>

#include "chunks.h"

#pragma weak plumb_object_born
#pragma weak plumb_object_died
#pragma weak plumb_object_moved
#pragma weak plumb_object_refused

#define LEAST_ROOM 16u
#define MOST_ROOM 2048u
/* The allocator needs a few bytes of its own. */
#define MOST_SIZE ((size_t)PTRDIFF_MAX - ((size_t)1 << 16))

PLUMB_THREAD_LOCAL uint32_t __plumb_call_site;

/* --- Chunks --- */

/* Of small objects without alignment the room behind them is the allocator's
   own word behind the chunk, and the header of the next one: there may be very
   many, and room costs time in the cache. */
#define LARGEST_TIGHT 1024u

static int is_tight(size_t offset, size_t size) { return offset == PLUMB_BLOCK_SIZE && size < LARGEST_TIGHT; }

/* Of the chunk: the bytes that are ours. The allocator's chunks have room for 8 bytes more than a multiple of 16, and
   those that are mapped alone have nothing of theirs behind them. */
static size_t chunk_size(size_t offset, size_t size) {
  size_t room = LEAST_ROOM + (size / 8 & ~(size_t)15);
  if (is_tight(offset, size)) room = size <= PLUMB_UNIT ? PLUMB_UNIT : 0;
  if (room > MOST_ROOM) room = MOST_ROOM;
  return ((offset + plumb_round_up(size) + room + 7) & ~(size_t)15) + 8;
}

/* The allocator keeps addresses of chunks that are free; with 64 bits such a one is in the last bytes of the chunk
   before it, which may be an object's last. Never its first: there is room behind those of 8 bytes. With 32 bits it is
   behind that chunk, which may be where the object ends. */
int plumb_is_of_next(const struct plumb_block* block, uintptr_t address) {
  size_t offset = plumb_entry_of(block)->offset;
  uintptr_t chunk = plumb_object_of(block) - offset;
  return address == chunk + chunk_size(offset, plumb_block_size(block)) - (sizeof(void*) == 4 ? 0 : 8);
}

/* From the allocator's word before the chunk; if it is tight, to the one behind
   it, which may also be the one before the next. */
static struct plumb_range chunk_of(const struct plumb_block* block) {
  size_t offset = plumb_entry_of(block)->offset;
  size_t size = plumb_block_size(block);
  struct plumb_range chunk;
  chunk.begin = plumb_object_of(block) - offset - PLUMB_UNIT;
  chunk.end = chunk.begin + PLUMB_UNIT + chunk_size(offset, size) + (is_tight(offset, size) ? PLUMB_UNIT : 0);
  return chunk;
}

static void poison_chunk(const struct plumb_block* block) {
  struct plumb_range chunk = chunk_of(block);
  uintptr_t object = plumb_object_of(block);
  plumb_set_units(chunk.begin, (uintptr_t)block, PLUMB_POISON_HEAP);
  plumb_set_units((uintptr_t)block, object, PLUMB_POISON_HEAD);
  if (PLUMB_UNUSED != 0) plumb_set_units(object, (object + plumb_block_size(block)) & ~(PLUMB_UNIT - 1), 0);
  plumb_poison_behind(object, plumb_block_size(block), chunk.end, PLUMB_POISON_HEAP);
}

/* Does a block need the word before this chunk, too? */
static int is_word_shared(uintptr_t word) {
  const struct plumb_block* before = plumb_block_before(word - PLUMB_UNIT, LARGEST_TIGHT + 2 * PLUMB_BLOCK_SIZE);
  return before != 0 && chunk_of(before).end == word + PLUMB_UNIT;
}

static void give_back(struct plumb_block* block) {
  struct plumb_range chunk = chunk_of(block);
  uintptr_t begin = chunk.begin + PLUMB_UNIT;
  size_t offset = plumb_entry_of(block)->offset;
  if (plumb_is_mapped) {
    if (is_word_shared(chunk.begin)) chunk.begin += PLUMB_UNIT;
    if (is_tight(offset, plumb_block_size(block)) && plumb_unit(chunk.end) != 0) chunk.end -= PLUMB_UNIT;
    plumb_set_units(chunk.begin, chunk.end, PLUMB_UNUSED);
  }
  plumb_free_entry(block->index);
  plumb_drop_chunk((void*)begin);
}

/* --- The quarantine --- */

/* Indices + 1 */
static uint32_t oldest;
static uint32_t youngest;
static size_t quarantined; /* bytes of chunks */

static size_t weight_of(const struct plumb_block* block) {
  return chunk_size(plumb_entry_of(block)->offset, plumb_block_size(block));
}

/* What was freed long ago is in no cache: the next ones are asked for while others are used. */
static void fetch_oldest(void) {
  const struct plumb_entry* entry = &plumb_entries[oldest - 1];
  __builtin_prefetch(entry->block);
  __builtin_prefetch(PLUMB_ADDRESSABLE(entry->block));
  if (entry->link != 0) __builtin_prefetch(&plumb_entries[entry->link - 1]);
}

/* The last one stays whatever its size: it is the one that is most likely used
 * again. */
static void shrink_quarantine(size_t limit) {
  while (quarantined > limit && oldest != youngest) {
    const struct plumb_entry* entry = &plumb_entries[oldest - 1];
    quarantined -= weight_of(entry->block);
    oldest = entry->link;
    fetch_oldest();
    give_back(entry->block);
  }
}

static void quarantine(struct plumb_block* block) {
  uint32_t index = block->index + 1;
  plumb_entry_of(block)->link = 0;
  if (oldest == 0) {
    oldest = index;
  } else {
    plumb_entries[youngest - 1].link = index;
  }
  youngest = index;
  quarantined += weight_of(block);
  shrink_quarantine(PLUMB_QUARANTINE_BYTES);
}

/* --- Allocation --- */

static void* take_chunk(size_t size, int is_cleared) {
  void* chunk = plumb_take_chunk(size, is_cleared);
  if (PLUMB_UNLIKELY(chunk == 0) && quarantined != 0) {
    int was_locked = plumb_lock();
    shrink_quarantine(0);
    plumb_unlock(was_locked);
    chunk = plumb_take_chunk(size, is_cleared);
  }
  if (chunk != 0 && !plumb_cover((uintptr_t)chunk - PLUMB_UNIT, (uintptr_t)chunk + size + PLUMB_UNIT)) {
    plumb_drop_chunk(chunk);
    errno = ENOMEM;
    return 0;
  }
  return chunk;
}

/* Gives the block with its entry, not yet live. */
static struct plumb_block* make_block(size_t size, size_t alignment, int is_cleared) {
  size_t slack = alignment <= PLUMB_CHUNK_ALIGNMENT ? 0 : alignment;
  size_t offset = PLUMB_BLOCK_SIZE;
  struct plumb_block* block;
  uintptr_t chunk;
  uint32_t entry;
  int was_locked;
  if (size > MOST_SIZE || slack > MOST_SIZE - size) {
    errno = ENOMEM;
    return 0;
  }
  chunk = (uintptr_t)take_chunk(chunk_size(PLUMB_BLOCK_SIZE + slack, size) + PLUMB_CHUNK_EXTRA, is_cleared);
  if (chunk == 0) return 0;
  if (slack != 0) offset = ((chunk + PLUMB_BLOCK_SIZE + alignment - 1) & ~(alignment - 1)) - chunk;
  block = plumb_block_at(chunk + offset);
  block->size_low = (uint32_t)size;
  block->size_high = (uint16_t)((uint64_t)size >> 32);
  block->state = 0;
  was_locked = plumb_lock();
  entry = plumb_take_entry();
  if (PLUMB_UNLIKELY(entry == 0) && quarantined != 0) {
    shrink_quarantine(0);
    entry = plumb_take_entry();
  }
  if (PLUMB_LIKELY(entry != 0)) {
    block->index = entry - 1;
    plumb_entries[block->index].block = block;
    plumb_entries[block->index].offset = offset;
  }
  plumb_unlock(was_locked);
  if (entry != 0) return block;
  plumb_drop_chunk((void*)chunk);
  errno = ENOMEM;
  return 0;
}

static void* refuse(void) {
#if defined(PLUMB_BARE_METAL)
  if (plumb_object_refused != 0) plumb_object_refused();
#endif
  return 0;
}

static void note_object(const struct plumb_block* block) {
  uintptr_t object = plumb_object_of(block);
  uintptr_t end = object + plumb_block_size(block);
  if (object < plumb_heap.begin) plumb_heap.begin = object;
  if (end > plumb_heap.end) plumb_heap.end = end;
}

/* With the stack of the allocation, or of the block that it takes the place of.
 */
static void* finish_block(struct plumb_block* block, struct plumb_caller caller, const struct plumb_block* replaced) {
  uintptr_t object = plumb_object_of(block);
  int is_program = plumb_is_program(caller.address);
  int was_locked = plumb_lock();
  if (is_program || replaced == 0) {
    block->allocated = plumb_keep_stack(caller);
    plumb_entry_of(block)->site = __plumb_call_site;
  } else {
    block->allocated = replaced->allocated;
    plumb_entry_of(block)->site = plumb_entry_of(replaced)->site;
    is_program = (replaced->state & PLUMB_OF_PROGRAM) != 0;
  }
  block->state = (uint16_t)(PLUMB_BLOCK_LIVE | (is_program ? PLUMB_OF_PROGRAM : 0));
  plumb_program_count += (uint32_t)is_program;
  note_object(block);
  if (plumb_is_mapped) poison_chunk(block);
  plumb_unlock(was_locked);
  return (void*)object;
}

void* plumb_allocate(size_t size, size_t alignment, int is_cleared, struct plumb_caller caller) {
  struct plumb_block* block = make_block(size, alignment, is_cleared);
  void* object = block != 0 ? finish_block(block, caller, 0) : 0;
  __plumb_call_site = 0;
  if (block == 0) return refuse();
  if (plumb_object_born != 0) plumb_object_born(object, size);
  return object;
}

void* plumb_allocate_array(size_t count, size_t size, struct plumb_caller caller) {
  size_t product;
  if (!__builtin_mul_overflow(count, size, &product)) return plumb_allocate(product, 0, 1, caller);
  __plumb_call_site = 0;
  errno = ENOMEM;
  return 0;
}

/* As the C library does it: with the next power of two. */
void* plumb_allocate_aligned(size_t alignment, size_t size, struct plumb_caller caller) {
  size_t power = 16;
  if (alignment > SIZE_MAX / 2 + 1) {
    __plumb_call_site = 0;
    errno = EINVAL;
    return 0;
  }
  while (power < alignment) power *= 2;
  return plumb_allocate(size, power, 0, caller);
}

/* --- Freeing --- */

/* Null if it is no live object, which is told. */
static struct plumb_block* end_life(void* object, struct plumb_caller caller) {
  struct plumb_block* block = plumb_block_at((uintptr_t)object);
  uint32_t defect = PLUMB_DEFECT_BAD_FREE;
  if (plumb_is_object((uintptr_t)object)) {
    int was_locked = plumb_lock();
    int is_live = plumb_is_live(block);
    if (is_live) {
      plumb_program_count -= block->state & PLUMB_OF_PROGRAM;
      block->state = (uint16_t)(PLUMB_BLOCK_FREED | (block->state & PLUMB_OF_PROGRAM));
      plumb_entry_of(block)->freed = plumb_keep_stack(caller);
    }
    plumb_unlock(was_locked);
    if (is_live) return block;
    defect = PLUMB_DEFECT_DOUBLE_FREE;
  }
  plumb_tell_bad_free(defect, object, caller);
  return 0;
}

static void poison_object(const struct plumb_block* block) {
  uintptr_t object = plumb_object_of(block);
  plumb_set_units(object, plumb_round_up(object + plumb_block_size(block)), PLUMB_POISON_FREED);
}

static void bury(struct plumb_block* block) {
  int was_locked = plumb_lock();
  if (plumb_is_mapped) poison_object(block);
  quarantine(block);
  plumb_unlock(was_locked);
}

void plumb_release(void* object, struct plumb_caller caller) {
  int error = errno;
  struct plumb_block* block = object != 0 ? end_life(object, caller) : 0;
  __plumb_call_site = 0;
  if (block != 0) {
    if (plumb_object_died != 0) plumb_object_died(object, plumb_block_size(block));
    bury(block);
  }
  errno = error;
}

static void copy(void* to, const void* from, size_t size) {
#if defined(__x86_64__) || defined(__i386__)
  __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(size) : : "memory");
#else
  char* bytes = to;
  size_t i;
  for (i = 0; i < size; ++i) bytes[i] = ((const char*)from)[i];
#endif
}

/* Always moves, so that pointers to the old place are found. */
void* plumb_reallocate(void* old, size_t size, struct plumb_caller caller) {
  struct plumb_block* old_block;
  struct plumb_block* block;
  size_t old_size;
  size_t kept;
  void* object;
  if (old == 0) return plumb_allocate(size, 0, 0, caller);
  if (size == 0) {
    plumb_release(old, caller);
    return 0;
  }
  block = make_block(size, 0, 0);
  old_block = block != 0 ? end_life(old, caller) : 0;
  object = block != 0 ? finish_block(block, caller, old_block) : 0;
  __plumb_call_site = 0;
  if (block == 0) return refuse();
  if (plumb_object_born != 0) plumb_object_born(object, size);
  if (old_block == 0) return object;
  old_size = plumb_block_size(old_block);
  kept = old_size < size ? old_size : size;
  copy(object, old, kept);
  if (plumb_object_moved != 0) plumb_object_moved(object, old, kept);
  if (plumb_object_died != 0) plumb_object_died(old, old_size);
  bury(old_block);
  return object;
}

void plumb_poison_heap(void) {
  uint32_t i;
  plumb_is_mapped = 1;
  for (i = 0; i < plumb_entry_count; ++i) {
    const struct plumb_block* block = plumb_entries[i].block;
    if (block == 0) continue;
    poison_chunk(block);
    if (!plumb_is_live(block)) poison_object(block);
  }
  plumb_lock_at_fork();
}

#if defined(PLUMB_BARE_METAL)
/* The program may have overwritten headers where it is not checked: what does not fit is gone. */
static int keeps(uint32_t index) {
  struct plumb_block* block = plumb_live_block(index);
  size_t offset = plumb_entries[index].offset;
  uintptr_t object = plumb_object_of(block);
  size_t size;
  if (block == 0 || (block->state & PLUMB_MARKED) == 0 || block->index != index) return 0;
  size = plumb_block_size(block);
  if (size > PLUMB_HEAP_BYTES || !plumb_keep_in_heap((void*)(object - offset), chunk_size(offset, size))) return 0;
  block->state = PLUMB_BLOCK_LIVE;
  note_object(block);
  poison_chunk(block);
  return 1;
}

void plumb_reset_heap(void) {
  plumb_reset_pool();
  plumb_reset_entries(keeps);
  oldest = 0;
  youngest = 0;
  quarantined = 0;
  __plumb_call_site = 0;
}
#endif
