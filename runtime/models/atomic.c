// Atomic operations on objects that no processor has instructions for, as compilers call them. Their names are those of
// builtins, so they are given as labels.

#include "text.h"
#include "thread.h"

void plumb_atomic_load(size_t size, const void* object, void* to, int order) __asm__("__atomic_load");
void plumb_atomic_store(size_t size, void* object, const void* from, int order) __asm__("__atomic_store");
void plumb_atomic_exchange(size_t size, void* object, const void* from, void* to, int order) __asm__(
    "__atomic_exchange");
_Bool plumb_atomic_compare_exchange(size_t size, void* object, void* expected, const void* desired, int order,
                                    int otherwise) __asm__("__atomic_compare_exchange");
_Bool plumb_atomic_is_lock_free(size_t size, const void* object) __asm__("__atomic_is_lock_free");

void plumb_atomic_load(size_t size, const void* object, void* to, int order) {
  (void)order;
  plumb_atomic_begin();
  memcpy(to, object, size);
  plumb_atomic_end();
}

void plumb_atomic_store(size_t size, void* object, const void* from, int order) {
  (void)order;
  plumb_atomic_begin();
  memcpy(object, from, size);
  plumb_atomic_end();
}

void plumb_atomic_exchange(size_t size, void* object, const void* from, void* to, int order) {
  (void)order;
  plumb_atomic_begin();
  memcpy(to, object, size);
  memcpy(object, from, size);
  plumb_atomic_end();
}

_Bool plumb_atomic_compare_exchange(size_t size, void* object, void* expected, const void* desired, int order,
                                    int otherwise) {
  (void)order, (void)otherwise;
  const char* bytes = object;
  const char* wanted = expected;
  _Bool is_equal = 1;
  plumb_atomic_begin();
  for (size_t i = 0; i < size; ++i) is_equal = is_equal && bytes[i] == wanted[i];
  if (is_equal) {
    memcpy(object, desired, size);
  } else {
    memcpy(expected, object, size);
  }
  plumb_atomic_end();
  return is_equal;
}

_Bool plumb_atomic_is_lock_free(size_t size, const void* object) {
  (void)object;
  return size == 1 || size == 2 || size == 4 || size == 8;
}
