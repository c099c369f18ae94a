/*
 * The heap with its objects known. The table is shared by all threads; shadows belong to the traced one, and new memory
 * has none, whatever an object that was there before had.
 */
#define _GNU_SOURCE
#include <malloc.h>
#include <stdlib.h>

#include "../environment/environment.h"
#include "shadow.h"

static char table_lock;

static void lock_table(void) {
  while (__atomic_test_and_set(&table_lock, __ATOMIC_ACQUIRE)) {
  }
}

static void unlock_table(void) { __atomic_clear(&table_lock, __ATOMIC_RELEASE); }

static void* born(void* object, size_t size) {
  int is_added;
  if (object == 0 || size == 0) return object;
  lock_table();
  is_added = plumb_add_heap_object(object, size);
  unlock_table();
  if (plumb_enter()) {
    plumb_clear_shadow(object, size);
    if (!is_added) plumb_record_lost(PLUMB_PIN_FULL, 0);
    plumb_leave();
  }
  return object;
}

/* Gives the size it had, 0 if that is not known. */
static size_t forget(const void* object) {
  size_t size;
  lock_table();
  size = plumb_remove_heap_object(object);
  unlock_table();
  return size;
}

void* __plumb_malloc(size_t size) { return born(malloc(size), size); }

void* __plumb_calloc(size_t count, size_t size) { return born(calloc(count, size), count * size); }

void* __plumb_aligned_alloc(size_t alignment, size_t size) { return born(aligned_alloc(alignment, size), size); }

void __plumb_free(void* object) {
  if (object != 0) {
    size_t size = forget(object);
    __plumb_cleared(object, size);
  }
  free(object);
}

static void remember(const void* object, size_t size) {
  lock_table();
  plumb_add_heap_object(object, size);
  unlock_table();
}

/* What was symbolic goes along; what is cut off or new is concrete. The old block's content may be gone by now, but
   __plumb_copied() looks at the new one's alone. */
static void moved(const uint8_t* made, size_t size, uintptr_t old, size_t old_size) {
  size_t kept = size < old_size ? size : old_size;
  if ((uintptr_t)made != old) {
    __plumb_copied(made, (const void*)old, kept);
    __plumb_cleared((const void*)old, old_size);
  } else {
    __plumb_cleared((const void*)(old + kept), old_size - kept);
  }
  __plumb_cleared(made + kept, size - kept);
}

void* __plumb_realloc(void* old, size_t size) {
  uintptr_t old_address = (uintptr_t)old;
  size_t known_size;
  size_t old_size;
  void* made;
  if (old == 0) return __plumb_malloc(size);
  known_size = forget(old);
  old_size = known_size != 0 ? known_size : malloc_usable_size(old);
  made = realloc(old, size);
  __asm__("" : "+r"(old_address)); /* the block is gone; what follows needs its address alone */
  if (made != 0) {
    moved(made, size, old_address, old_size);
    if (size != 0) remember(made, size);
  } else if (size == 0) {
    __plumb_cleared((const void*)old_address, old_size);
  } else if (known_size != 0) {
    remember((const void*)old_address, known_size);
  }
  return made;
}

/* Memory that is no block of the heap, such as a mapping. */
void __plumb_host_add_object(const void* memory, size_t size) { born((void*)(uintptr_t)memory, size); }

void __plumb_host_forget_object(const void* memory, size_t size) {
  forget(memory);
  __plumb_cleared(memory, size);
}
