/*
 * The heap of traced programs is that of runtime/checks, for code with and without instrumentation. Shadows belong to
 * the traced thread; new memory has none, and what is moved takes its along. Objects that are too large to be found
 * from inside by a walk over the map are entered into the table of objects.c, which all threads share.
 */
#include "../checks/internal.h"
#include "../environment/environment.h"
#include "shadow.h"

#if defined(PLUMB_SINGLE_THREAD)
static void lock_table(void) {}
static void unlock_table(void) {}
#else
static char table_lock;

static void lock_table(void) {
  while (__atomic_test_and_set(&table_lock, __ATOMIC_ACQUIRE)) {
  }
}

static void unlock_table(void) { __atomic_clear(&table_lock, __ATOMIC_RELEASE); }
#endif

/* Gives 0 if the table is full. */
static int enter_table(const void* object, size_t size) {
  int is_added;
  lock_table();
  is_added = plumb_add_heap_object(object, size);
  unlock_table();
  return is_added;
}

static void leave_table(const void* object) {
  lock_table();
  plumb_remove_heap_object(object);
  unlock_table();
}

static void start_life(const void* object, size_t size, int is_in_table) {
  int is_lost = is_in_table && !enter_table(object, size);
  if (plumb_enter()) {
    plumb_clear_shadow(object, size);
    if (is_lost) plumb_record_lost(PLUMB_PIN_FULL, 0);
    plumb_leave();
  }
}

void plumb_object_born(void* object, size_t size) {
  if (size != 0) start_life(object, size, size >= PLUMB_TABLE_SIZE);
}

void plumb_object_died(void* object, size_t size) {
  if (size >= PLUMB_TABLE_SIZE) leave_table(object);
  __plumb_cleared(object, size);
}

void plumb_object_moved(void* to, const void* from, size_t size) { __plumb_copied(to, from, size); }

void plumb_object_refused(void) { __plumb_lost(PLUMB_PIN_FULL, 0); }

void plumb_leaks_unknown(void) { __plumb_lost(PLUMB_PIN_UNSUPPORTED, 0); }

/* --- What instrumented code calls --- */

void* __plumb_malloc(size_t size) {
  struct plumb_caller caller = PLUMB_CALLER;
  return plumb_allocate(size, 0, 0, caller);
}

void* __plumb_calloc(size_t count, size_t size) {
  struct plumb_caller caller = PLUMB_CALLER;
  return plumb_allocate_array(count, size, caller);
}

void* __plumb_realloc(void* old, size_t size) {
  struct plumb_caller caller = PLUMB_CALLER;
  return plumb_reallocate(old, size, caller);
}

void* __plumb_aligned_alloc(size_t alignment, size_t size) {
  struct plumb_caller caller = PLUMB_CALLER;
  return plumb_allocate_aligned(alignment, size, caller);
}

void __plumb_free(void* object) {
  struct plumb_caller caller = PLUMB_CALLER;
  plumb_release(object, caller);
}

/* --- Memory that is no block of the heap, such as a mapping --- */

void __plumb_host_add_object(const void* memory, size_t size) {
  if (memory == 0 || size == 0) return;
  plumb_cover((uintptr_t)memory, (uintptr_t)memory + size);
  start_life(memory, size, 1);
}

void __plumb_host_forget_object(const void* memory, size_t size) {
  leave_table(memory);
  __plumb_cleared(memory, size);
}
