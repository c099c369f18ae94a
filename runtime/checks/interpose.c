/*
 * The allocator of the whole process: the program's own calls, those of
 * libraries and of the C library itself come here. Weak, since a program may
 * bring an allocator of its own. When the process ends, leaks are searched.
 */
#define _GNU_SOURCE
#include <errno.h>

#include "internal.h"
#include "kernel.h"

#define EXPORTED __attribute__((weak, visibility("default")))
#define PAGE ((size_t)plumb_page_size())

EXPORTED void* malloc(size_t size);
EXPORTED void* calloc(size_t count, size_t size);
EXPORTED void* realloc(void* old, size_t size);
EXPORTED void* reallocarray(void* old, size_t count, size_t size);
EXPORTED void free(void* object);
EXPORTED void cfree(void* object);
EXPORTED void* aligned_alloc(size_t alignment, size_t size);
EXPORTED void* memalign(size_t alignment, size_t size);
EXPORTED int posix_memalign(void** result, size_t alignment, size_t size);
EXPORTED void* valloc(size_t size);
EXPORTED void* pvalloc(size_t size);
EXPORTED size_t malloc_usable_size(void* object);

static int is_power(size_t value) { return value != 0 && (value & (value - 1)) == 0; }

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

void* reallocarray(void* old, size_t count, size_t size) {
  struct plumb_caller caller = PLUMB_CALLER;
  size_t product;
  if (!__builtin_mul_overflow(count, size, &product)) return plumb_reallocate(old, product, caller);
  errno = ENOMEM;
  return 0;
}

void free(void* object) {
  struct plumb_caller caller = PLUMB_CALLER;
  plumb_release(object, caller);
}

void cfree(void* object) {
  struct plumb_caller caller = PLUMB_CALLER;
  plumb_release(object, caller);
}

void* aligned_alloc(size_t alignment, size_t size) {
  struct plumb_caller caller = PLUMB_CALLER;
  return plumb_allocate_aligned(alignment, size, caller);
}

void* memalign(size_t alignment, size_t size) {
  struct plumb_caller caller = PLUMB_CALLER;
  return plumb_allocate_aligned(alignment, size, caller);
}

int posix_memalign(void** result, size_t alignment, size_t size) {
  struct plumb_caller caller = PLUMB_CALLER;
  int error = errno;
  void* object;
  if (alignment % sizeof(void*) != 0 || !is_power(alignment)) return EINVAL;
  object = plumb_allocate(size, alignment, 0, caller);
  errno = error;
  if (object == 0) return ENOMEM;
  *result = object;
  return 0;
}

void* valloc(size_t size) {
  struct plumb_caller caller = PLUMB_CALLER;
  return plumb_allocate(size, PAGE, 0, caller);
}

void* pvalloc(size_t size) {
  struct plumb_caller caller = PLUMB_CALLER;
  if (size > SIZE_MAX - PAGE) {
    errno = ENOMEM;
    return 0;
  }
  return plumb_allocate((size + PAGE - 1) & ~(PAGE - 1), PAGE, 0, caller);
}

/* What was asked for: nothing beyond may be used. */
size_t malloc_usable_size(void* object) {
  return object != 0 ? plumb_block_size(plumb_block_at((uintptr_t)object)) : 0;
}

/* Behind the program's own handlers and destructors. */
__attribute__((destructor(101))) static void at_exit(void) { plumb_check_leaks(); }
