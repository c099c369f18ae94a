// <stdlib.h> and <malloc.h>: what is made of the heap's own functions.

#include "host.h"

void* reallocarray(void* pointer, size_t count, size_t size) {
  if (size != 0 && count > (size_t)-1 / size) {
    errno = ENOMEM;
    return NULL;
  }
  return realloc(pointer, count * size);
}

int posix_memalign(void** result, size_t alignment, size_t size) {
  if (alignment % sizeof(void*) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0) return EINVAL;
  void* pointer = aligned_alloc(alignment, size);
  if (pointer == NULL) return ENOMEM;
  *result = pointer;
  return 0;
}

void* memalign(size_t alignment, size_t size) { return aligned_alloc(alignment, size); }
void* valloc(size_t size) { return aligned_alloc(4096, size); }
void cfree(void* pointer) { free(pointer); }
