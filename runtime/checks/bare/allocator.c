/*
 * malloc() and its like of the whole firmware, with the names that newlib's own functions call, and those of C++. What
 * the C library keeps from one run to the next (buffers of streams, numbers of strtod) stays where it is.
 */
#include "bare.h"

#define EXPORTED __attribute__((visibility("default")))

EXPORTED void* malloc(size_t size);
EXPORTED void* calloc(size_t count, size_t size);
EXPORTED void* realloc(void* old, size_t size);
EXPORTED void free(void* object);
EXPORTED void cfree(void* object);
EXPORTED void* aligned_alloc(size_t alignment, size_t size);
EXPORTED void* memalign(size_t alignment, size_t size);
EXPORTED size_t malloc_usable_size(void* object);

void* malloc(size_t size) {
  struct plumb_caller caller = PLUMB_CALLER;
  return plumb_allocate(size, 0, 0, caller);
}

void* calloc(size_t count, size_t size) {
  struct plumb_caller caller = PLUMB_CALLER;
  return plumb_allocate_array(count, size, caller);
}

void* realloc(void* old, size_t size) {
  struct plumb_caller caller = PLUMB_CALLER;
  return plumb_reallocate(old, size, caller);
}

void free(void* object) {
  struct plumb_caller caller = PLUMB_CALLER;
  plumb_release(object, caller);
}

void cfree(void* object) { free(object); }

void* aligned_alloc(size_t alignment, size_t size) {
  struct plumb_caller caller = PLUMB_CALLER;
  return plumb_allocate_aligned(alignment, size, caller);
}

void* memalign(size_t alignment, size_t size) { return aligned_alloc(alignment, size); }

/* What was asked for: nothing beyond may be used. */
size_t malloc_usable_size(void* object) {
  return object != 0 ? plumb_block_size(plumb_block_at((uintptr_t)object)) : 0;
}

/* --- newlib's, with the state that it keeps for a thread --- */

struct _reent;
EXPORTED void* _malloc_r(struct _reent* state, size_t size);
EXPORTED void* _calloc_r(struct _reent* state, size_t count, size_t size);
EXPORTED void* _realloc_r(struct _reent* state, void* old, size_t size);
EXPORTED void _free_r(struct _reent* state, void* object);
EXPORTED void* _memalign_r(struct _reent* state, size_t alignment, size_t size);

void* _malloc_r(struct _reent* state, size_t size) {
  (void)state;
  return malloc(size);
}

void* _calloc_r(struct _reent* state, size_t count, size_t size) {
  (void)state;
  return calloc(count, size);
}

void* _realloc_r(struct _reent* state, void* old, size_t size) {
  (void)state;
  return realloc(old, size);
}

void _free_r(struct _reent* state, void* object) {
  (void)state;
  free(object);
}

void* _memalign_r(struct _reent* state, size_t alignment, size_t size) {
  (void)state;
  return memalign(alignment, size);
}
