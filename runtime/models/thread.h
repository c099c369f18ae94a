#pragma once

// What the models of threads ask of plumb beside host.h: the intrinsics of threads, and the error numbers of Linux.
//
// A lock is an atomic section: `plumb_atomic_begin(); while (!free) plumb_thread_wait(); take; plumb_atomic_end();`.
// A section that waits was not begun, and is made again from its beginning; so it writes nothing before it waits, and
// asks for no input. Plain accesses inside order threads as atomic ones do (src/interpret/races.h).

#include "host.h"

int plumb_thread_create(uintptr_t* thread, const void* attributes, void* (*start)(void*), void* argument);
_Noreturn void plumb_thread_exit(void* result);
void plumb_atomic_begin(void);
void plumb_atomic_end(void);
void plumb_thread_wait(void);       // until another thread has changed something
int plumb_thread_timed_wait(void);  // likewise, or 1: the time is over
void plumb_mutex_kind(void* mutex, int kind);
int plumb_cond_timed_wait(void* condition, void* mutex);
_Bool plumb_nondet_bool(void);

// Set once there is a key with a destructor: a thread begins there, with a struct plumb_start of the heap that it
// frees, and makes the other call before it ends.
struct plumb_start {
  void* (*function)(void*);
  void* argument;
};
extern void* (*plumb_start_with_keys)(void*);
extern void (*plumb_end_with_keys)(void);

int pthread_create(uintptr_t* thread, const void* attributes, void* (*start)(void*), void* argument);
int pthread_join(uintptr_t thread, void** result);
_Noreturn void pthread_exit(void* result);
uintptr_t pthread_self(void);
int pthread_mutex_lock(void* mutex);
int pthread_mutex_trylock(void* mutex);
int pthread_mutex_unlock(void* mutex);
int pthread_cond_wait(void* condition, void* mutex);
int pthread_cond_signal(void* condition);
int pthread_cond_broadcast(void* condition);
int sched_yield(void);

enum { EAGAIN = 11, EBUSY = 16, EDEADLK = 35, ETIMEDOUT = 110 };
