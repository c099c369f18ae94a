// <threads.h>, by <pthread.h> as glibc does it.

#include "thread.h"

int pthread_detach(uintptr_t thread);
int pthread_mutex_init(void* mutex, const int* attributes);
int pthread_mutex_timedlock(void* mutex, const void* time);
int pthread_mutex_destroy(void* mutex);
int pthread_cond_init(void* condition, const void* attributes);
int pthread_cond_timedwait(void* condition, void* mutex, const void* time);
int pthread_cond_destroy(void* condition);
int pthread_once(int* control, void (*initialise)(void));
int pthread_key_create(unsigned* key, void (*destructor)(void*));
int pthread_key_delete(unsigned key);
void* pthread_getspecific(unsigned key);
int pthread_setspecific(unsigned key, const void* value);

enum { Success, Busy, Error, NoMemory, TimedOut };

static int result_of(int error) {
  if (error == EBUSY) return Busy;
  return error == 0 ? Success : error == ETIMEDOUT ? TimedOut : Error;
}

struct start {
  int (*function)(void*);
  void* argument;
};

static void* run(void* given) {
  struct start start = *(struct start*)given;
  free(given);
  return (void*)(intptr_t)start.function(start.argument);
}

int thrd_create(uintptr_t* thread, int (*function)(void*), void* argument) {
  struct start* start = malloc(sizeof *start);
  if (start == NULL) return NoMemory;
  *start = (struct start){function, argument};
  int error = pthread_create(thread, NULL, run, start);
  if (error != 0) free(start);
  return result_of(error);
}

int thrd_join(uintptr_t thread, int* result) {
  void* given = NULL;
  int error = pthread_join(thread, &given);
  if (error == 0 && result != NULL) *result = (int)(intptr_t)given;
  return result_of(error);
}

_Noreturn void thrd_exit(int result) { pthread_exit((void*)(intptr_t)result); }

int thrd_detach(uintptr_t thread) { return result_of(pthread_detach(thread)); }
uintptr_t thrd_current(void) { return pthread_self(); }
int thrd_equal(uintptr_t a, uintptr_t b) { return a == b; }
void thrd_yield(void) { sched_yield(); }
int thrd_sleep(const void* time, void* left) { return (void)time, (void)left, sched_yield(); }

int mtx_init(void* mutex, int type) {
  enum { Recursive = 1, Timed = 2 };
  if ((type & ~(Recursive | Timed)) != 0) return Error;
  int kind = type & Recursive;
  return result_of(pthread_mutex_init(mutex, &kind));
}

int mtx_lock(void* mutex) { return result_of(pthread_mutex_lock(mutex)); }
int mtx_unlock(void* mutex) { return result_of(pthread_mutex_unlock(mutex)); }
void mtx_destroy(void* mutex) { pthread_mutex_destroy(mutex); }

int mtx_trylock(void* mutex) { return result_of(pthread_mutex_trylock(mutex)); }
int mtx_timedlock(void* mutex, const void* time) { return result_of(pthread_mutex_timedlock(mutex, time)); }

int cnd_init(void* condition) { return result_of(pthread_cond_init(condition, NULL)); }
int cnd_wait(void* condition, void* mutex) { return result_of(pthread_cond_wait(condition, mutex)); }
int cnd_timedwait(void* condition, void* mutex, const void* time) {
  return result_of(pthread_cond_timedwait(condition, mutex, time));
}
int cnd_signal(void* condition) { return result_of(pthread_cond_signal(condition)); }
int cnd_broadcast(void* condition) { return result_of(pthread_cond_broadcast(condition)); }
void cnd_destroy(void* condition) { pthread_cond_destroy(condition); }

void call_once(int* flag, void (*function)(void)) { pthread_once(flag, function); }

int tss_create(unsigned* key, void (*destructor)(void*)) { return result_of(pthread_key_create(key, destructor)); }
void* tss_get(unsigned key) { return pthread_getspecific(key); }
int tss_set(unsigned key, void* value) { return result_of(pthread_setspecific(key, value)); }
void tss_delete(unsigned key) { pthread_key_delete(key); }
