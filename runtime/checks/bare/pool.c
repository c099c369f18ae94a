#include "bare.h"

/* Behind a head: the chunk's bytes. */
struct head {
  uint32_t size;   /* with the head; the lowest bit: it is taken */
  uint32_t before; /* size of the chunk before, 0: it is the first */
};
#define TAKEN 1u

static struct head* head_at(uintptr_t chunk) { return (struct head*)chunk; }
static uint32_t size_of(uintptr_t chunk) { return head_at(chunk)->size & ~TAKEN; }
static int is_taken(uintptr_t chunk) { return (head_at(chunk)->size & TAKEN) != 0; }

static int is_sound(const struct plumb_pool* pool, uintptr_t chunk) {
  uintptr_t size = size_of(chunk);
  return size >= pool->unit && size % pool->unit == 0 && size <= pool->end - chunk;
}

/* The chunk behind; 0 at the end. */
static uintptr_t behind(const struct plumb_pool* pool, uintptr_t chunk) {
  uintptr_t next = is_sound(pool, chunk) ? chunk + size_of(chunk) : pool->end;
  return next < pool->end ? next : 0;
}

static void set_size(const struct plumb_pool* pool, uintptr_t chunk, uintptr_t size, uint32_t taken) {
  head_at(chunk)->size = (uint32_t)size | taken;
  if (chunk + size < pool->end) head_at(chunk + size)->before = (uint32_t)size;
}

void plumb_start_pool(struct plumb_pool* pool, uintptr_t begin, uintptr_t end, uintptr_t unit) {
  pool->begin = begin;
  pool->unit = unit;
  pool->end = begin + (end - begin) / unit * unit;
  head_at(begin)->before = 0;
  set_size(pool, begin, pool->end - begin, 0);
}

/* Of a chunk for so many bytes; 0: more than all. */
static uintptr_t needed_for(const struct plumb_pool* pool, size_t size) {
  if (size > pool->end - pool->begin) return 0;
  return (size + PLUMB_POOL_HEAD + pool->unit - 1) / pool->unit * pool->unit;
}

/* A part of a free chunk becomes one that is taken; what is before and behind it stays free. */
static void take_part(const struct plumb_pool* pool, uintptr_t from, uintptr_t chunk, uintptr_t size) {
  uintptr_t end = from + size_of(from);
  if (end - chunk != size) set_size(pool, chunk + size, end - chunk - size, 0);
  set_size(pool, chunk, size, TAKEN);
  if (chunk != from) set_size(pool, from, chunk - from, 0);
}

/* The first or the last that is free and has so many bytes; 0 if there is none. */
static uintptr_t find_free(const struct plumb_pool* pool, uintptr_t needed, int is_last) {
  uintptr_t found = 0;
  uintptr_t chunk;
  for (chunk = pool->begin; chunk != 0 && (found == 0 || is_last); chunk = behind(pool, chunk))
    if (!is_taken(chunk) && is_sound(pool, chunk) && size_of(chunk) >= needed) found = chunk;
  return found;
}

static uintptr_t take(const struct plumb_pool* pool, size_t size, int is_last) {
  uintptr_t needed = needed_for(pool, size);
  uintptr_t from = needed != 0 ? find_free(pool, needed, is_last) : 0;
  uintptr_t left;
  if (from == 0) return 0;
  left = size_of(from) - needed;
  if (left < 2 * pool->unit) {
    needed += left;
    left = 0;
  }
  take_part(pool, from, is_last ? from + left : from, needed);
  return is_last ? from + left : from;
}

uintptr_t plumb_take_of_pool(const struct plumb_pool* pool, size_t size) { return take(pool, size, 0); }
uintptr_t plumb_take_last_of_pool(const struct plumb_pool* pool, size_t size) { return take(pool, size, 1); }

int plumb_take_at(const struct plumb_pool* pool, uintptr_t chunk, size_t size) {
  uintptr_t needed = needed_for(pool, size);
  uintptr_t from = pool->begin;
  if (needed == 0 || chunk < pool->begin || chunk >= pool->end || (chunk - pool->begin) % pool->unit != 0) return 0;
  while (from != 0 && (is_taken(from) || from + size_of(from) <= chunk)) from = behind(pool, from);
  if (from == 0 || from > chunk || from + size_of(from) - chunk < needed) return 0;
  take_part(pool, from, chunk, needed);
  return 1;
}

void plumb_give_to_pool(const struct plumb_pool* pool, uintptr_t chunk) {
  uintptr_t size;
  uintptr_t next;
  if (!is_sound(pool, chunk) || !is_taken(chunk)) return;
  size = size_of(chunk);
  next = behind(pool, chunk);
  if (next != 0 && !is_taken(next) && is_sound(pool, next)) size += size_of(next);
  if (head_at(chunk)->before != 0 && head_at(chunk)->before <= chunk - pool->begin) {
    uintptr_t before = chunk - head_at(chunk)->before;
    if (!is_taken(before) && size_of(before) == head_at(chunk)->before) {
      size += size_of(before);
      chunk = before;
    }
  }
  set_size(pool, chunk, size, 0);
}

uintptr_t plumb_next_of_pool(const struct plumb_pool* pool, uintptr_t chunk) {
  chunk = chunk == 0 ? pool->begin : behind(pool, chunk);
  while (chunk != 0 && !is_taken(chunk)) chunk = behind(pool, chunk);
  return chunk;
}

/* --- The heap's --- */

static struct plumb_pool heap;

/* What is behind a head is aligned to 16. */
void plumb_reset_pool(void) {
  plumb_start_pool(&heap, PLUMB_HEAP_BEGIN + PLUMB_POOL_HEAD, PLUMB_WINDOW_END, 16);
  plumb_set_units(PLUMB_HEAP_BEGIN, PLUMB_WINDOW_END, PLUMB_POISON_HEAP);
}

/* What a library takes may stay: it lies where it is not in the way of the program's objects, which have the same
   addresses in all runs that are the same. */
void* plumb_take_of_heap(size_t size, int is_cleared) {
  int is_program = __plumb_call_site != 0;
  uintptr_t chunk = is_program ? plumb_take_of_pool(&heap, size) : plumb_take_last_of_pool(&heap, size);
  uint8_t* bytes = (uint8_t*)chunk + PLUMB_POOL_HEAD;
  size_t i;
  if (chunk == 0) return 0;
  for (i = 0; is_cleared && i < size; ++i) bytes[i] = 0;
  return bytes;
}

void plumb_give_to_heap(void* chunk) { plumb_give_to_pool(&heap, (uintptr_t)chunk - PLUMB_POOL_HEAD); }

int plumb_keep_in_heap(void* chunk, size_t size) {
  return plumb_take_at(&heap, (uintptr_t)chunk - PLUMB_POOL_HEAD, size);
}
