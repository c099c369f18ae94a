/* operator new and delete of C++. Weak, since a firmware may replace them. Without memory there is no way on. */
#include "bare.h"

#define EXPORTED __attribute__((weak, visibility("default")))

#if UINTPTR_MAX > 0xffffffffu
#define NEW(prefix, suffix) prefix##m##suffix
#else
#define NEW(prefix, suffix) prefix##j##suffix
#endif

__attribute__((noreturn)) void abort(void);

#define DEFINE_NEW(name)                             \
  EXPORTED void* name(size_t size);                  \
  void* name(size_t size) {                          \
    struct plumb_caller caller = PLUMB_CALLER;       \
    void* made = plumb_allocate(size, 0, 0, caller); \
    if (made == 0) abort();                          \
    return made;                                     \
  }
DEFINE_NEW(NEW(_Znw, ))
DEFINE_NEW(NEW(_Zna, ))

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
