// What a C++ compiler calls behind the programmer's back: destructors of static objects, and their first use.

#include "host.h"

int atexit(void (*function)(void));

struct Destruction {
  void (*destroy)(void*);
  void* object;
  struct Destruction* next;
};

static struct Destruction* destructions;

static void destroy_last(void) {
  struct Destruction* last = destructions;
  destructions = last->next;
  last->destroy(last->object);
  free(last);
}

// One exit function a registration, so that destructors keep their place among the program's own exit functions.
int __cxa_atexit(void (*destroy)(void*), void* object, void* library) {
  (void)library;
  struct Destruction* made = malloc(sizeof *made);
  if (made == NULL) return -1;
  *made = (struct Destruction){destroy, object, destructions};
  destructions = made;
  return atexit(destroy_last);
}

int __cxa_guard_acquire(char* guard) { return *guard == 0; }
void __cxa_guard_release(char* guard) { *guard = 1; }
void __cxa_guard_abort(char* guard) { (void)guard; }
_Noreturn void __cxa_pure_virtual(void) { abort(); }
_Noreturn void __cxa_deleted_virtual(void) { abort(); }

// glibc's hint that atomic operations may be left out; never taken.
char __libc_single_threaded = 0;
void* __dso_handle = NULL;
