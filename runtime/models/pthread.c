// <pthread.h>, as far as it is not intrinsics: threads, and locking of mutexes and conditions, which are known by their
// addresses. Attributes are kept; those of threads change nothing. Waiting for a time may end at any time.

#include "text.h"
#include "thread.h"

// Sizes and places of glibc.
enum {
  Is64 = sizeof(void*) == 8,
  MutexSize = Is64 ? 40 : 24,
  MutexKind = Is64 ? 16 : 12,
  ConditionSize = 48,
  AttributesSize = Is64 ? 56 : 36,
  AttributesDetached = 8,
  Recursive = 1,
  ErrorCheck = 2,
};

int pthread_attr_init(void* attributes) { return memset(attributes, 0, AttributesSize), 0; }
int pthread_attr_destroy(void* attributes) { return (void)attributes, 0; }
int pthread_attr_setdetachstate(char* attributes, int state) {
  if (state != 0 && state != 1) return EINVAL;
  memcpy(attributes + AttributesDetached, &state, sizeof state);
  return 0;
}
int pthread_attr_getdetachstate(const char* attributes, int* state) {
  memcpy(state, attributes + AttributesDetached, sizeof *state);
  return 0;
}
int pthread_attr_setstacksize(void* attributes, size_t size) {
  enum { LeastStack = 16384 };
  return (void)attributes, size < LeastStack ? EINVAL : 0;
}
int pthread_attr_setscope(void* attributes, int scope) {
  enum { OfProcess = 1, NotSupported = 95 };
  if (scope == OfProcess) return NotSupported;
  return (void)attributes, scope == 0 ? 0 : EINVAL;
}
int pthread_detach(uintptr_t thread) { return (void)thread, 0; }
int pthread_equal(uintptr_t a, uintptr_t b) { return a == b; }
int pthread_setconcurrency(int level) { return level < 0 ? EINVAL : 0; }
int pthread_setcancelstate(int state, int* old) {
  if (old != NULL) *old = 0;
  return state == 0 || state == 1 ? 0 : EINVAL;
}
int pthread_setcanceltype(int type, int* old) { return pthread_setcancelstate(type, old); }
void pthread_testcancel(void) {}

int pthread_mutexattr_init(int* attributes) { return *attributes = 0; }
int pthread_mutexattr_destroy(int* attributes) { return (void)attributes, 0; }
int pthread_mutexattr_settype(int* attributes, int kind) {
  enum { LastKind = 3 };
  if (kind < 0 || kind > LastKind) return EINVAL;
  *attributes = kind;
  return 0;
}
int pthread_mutexattr_setpshared(int* attributes, int shared) { return (void)attributes, shared == 0 ? 0 : EINVAL; }
int pthread_mutexattr_gettype(const int* attributes, int* kind) { return *kind = *attributes, 0; }

int pthread_mutex_init(char* mutex, const int* attributes) {
  int kind = attributes != NULL ? *attributes : 0;
  memset(mutex, 0, MutexSize);
  memcpy(mutex + MutexKind, &kind, sizeof kind);
  if (kind == Recursive || kind == ErrorCheck) plumb_mutex_kind(mutex, kind);
  return 0;
}

int pthread_mutex_destroy(char* mutex) {
  int kind;
  memcpy(&kind, mutex + MutexKind, sizeof kind);
  if (kind == Recursive || kind == ErrorCheck) plumb_mutex_kind(mutex, 0);
  return 0;
}

int pthread_mutex_timedlock(void* mutex, const void* time) {
  (void)time;
  int error;
  plumb_atomic_begin();
  while ((error = pthread_mutex_trylock(mutex)) == EBUSY) {
    if (!plumb_thread_timed_wait()) continue;
    error = ETIMEDOUT;
    break;
  }
  plumb_atomic_end();
  return error;
}

int pthread_mutex_clocklock(void* mutex, int clock, const void* time) {
  (void)clock;
  return pthread_mutex_timedlock(mutex, time);
}

int pthread_condattr_init(int* attributes) { return *attributes = 0; }
int pthread_condattr_destroy(int* attributes) { return (void)attributes, 0; }
int pthread_condattr_setclock(int* attributes, int clock) { return (void)attributes, (void)clock, 0; }
int pthread_cond_init(void* condition, const void* attributes) {
  (void)attributes;
  memset(condition, 0, ConditionSize);
  return 0;
}
int pthread_cond_destroy(void* condition) { return (void)condition, 0; }

int pthread_cond_timedwait(void* condition, void* mutex, const void* time) {
  (void)time;
  int error = plumb_cond_timed_wait(condition, mutex);
  // It may have woken up for nothing, too.
  return error == ETIMEDOUT && plumb_nondet_bool() ? 0 : error;
}

int pthread_cond_clockwait(void* condition, void* mutex, int clock, const void* time) {
  (void)clock;
  return pthread_cond_timedwait(condition, mutex, time);
}

int pthread_once(int* control, void (*initialise)(void)) {
  enum { NotYet, Running, Done };
  plumb_atomic_begin();
  while (*control == Running) plumb_thread_wait();
  int is_first = *control == NotYet;
  if (is_first) *control = Running;
  plumb_atomic_end();
  if (!is_first) return 0;
  initialise();
  plumb_atomic_begin();
  *control = Done;
  plumb_atomic_end();
  return 0;
}
