/*
 * operator new and delete of C++, so that their callers are known: the C++
 * library's call malloc() by code that has no frame pointers. Weak, since a
 * program may replace them. When there is no memory the library's own are
 * asked, which throw.
 */
#define _GNU_SOURCE
#include <dlfcn.h>

#include "internal.h"

#define EXPORTED __attribute__((weak, visibility("default")))

#if UINTPTR_MAX > 0xffffffffu
#define NEW(prefix, suffix) prefix##m##suffix
#else
#define NEW(prefix, suffix) prefix##j##suffix
#endif
#define TEXT_OF(name) #name
#define TEXT(name) TEXT_OF(name)

/* A size of 0 gives memory too. */
static void* allocate(size_t size, size_t alignment, const char* name, struct plumb_caller caller) {
  void* object = plumb_allocate(size, alignment, 0, caller);
  if (object == 0) {
    void* found = dlsym(RTLD_NEXT, name);
    void* (*real)(size_t, size_t) = 0;
    __builtin_memcpy(&real, &found, sizeof real);
    if (real != 0) object = real(size, alignment);
  }
  return object;
}

#define DEFINE_NEW(name)                          \
  EXPORTED void* name(size_t size);               \
  void* name(size_t size) {                       \
    struct plumb_caller caller = PLUMB_CALLER;    \
    return allocate(size, 0, TEXT(name), caller); \
  }
DEFINE_NEW(NEW(_Znw, ))
DEFINE_NEW(NEW(_Zna, ))

#define DEFINE_ALIGNED_NEW(name)                          \
  EXPORTED void* name(size_t size, size_t alignment);     \
  void* name(size_t size, size_t alignment) {             \
    struct plumb_caller caller = PLUMB_CALLER;            \
    return allocate(size, alignment, TEXT(name), caller); \
  }
DEFINE_ALIGNED_NEW(NEW(_Znw, St11align_val_t))
DEFINE_ALIGNED_NEW(NEW(_Zna, St11align_val_t))

#define DEFINE_NEW_NOTHROW(name)                        \
  EXPORTED void* name(size_t size, const void* unused); \
  void* name(size_t size, const void* unused) {         \
    struct plumb_caller caller = PLUMB_CALLER;          \
    (void)unused;                                       \
    return plumb_allocate(size, 0, 0, caller);          \
  }
DEFINE_NEW_NOTHROW(NEW(_Znw, RKSt9nothrow_t))
DEFINE_NEW_NOTHROW(NEW(_Zna, RKSt9nothrow_t))

#define DEFINE_DELETE(name)                    \
  EXPORTED void name(void* object);            \
  void name(void* object) {                    \
    struct plumb_caller caller = PLUMB_CALLER; \
    plumb_release(object, caller);             \
  }
DEFINE_DELETE(_ZdlPv)
DEFINE_DELETE(_ZdaPv)

#define DEFINE_SIZED_DELETE(name)                  \
  EXPORTED void name(void* object, size_t unused); \
  void name(void* object, size_t unused) {         \
    struct plumb_caller caller = PLUMB_CALLER;     \
    (void)unused;                                  \
    plumb_release(object, caller);                 \
  }
DEFINE_SIZED_DELETE(NEW(_ZdlPv, ))
DEFINE_SIZED_DELETE(NEW(_ZdaPv, ))
DEFINE_SIZED_DELETE(_ZdlPvSt11align_val_t)
DEFINE_SIZED_DELETE(_ZdaPvSt11align_val_t)
