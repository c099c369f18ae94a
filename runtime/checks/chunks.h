/*
 * What the heap lies on: the C library's allocator and one lock, or on bare metal a pool in the window. Chunks begin at
 * multiples of PLUMB_CHUNK_ALIGNMENT, behind a word of 8 bytes that is the allocator's.
 */
#ifndef PLUMB_CHECKS_CHUNKS_H
#define PLUMB_CHECKS_CHUNKS_H

#include "internal.h"

#if defined(PLUMB_BARE_METAL)

#include "bare/bare.h"

#define PLUMB_CHUNK_EXTRA 0u
static inline void* plumb_take_chunk(size_t size, int is_cleared) { return plumb_take_of_heap(size, is_cleared); }
static inline void plumb_drop_chunk(void* chunk) { plumb_give_to_heap(chunk); }
static inline int plumb_lock(void) { return 0; }
static inline void plumb_unlock(int was_locked) { (void)was_locked; }
static inline void plumb_lock_at_fork(void) {}

#else

#include <pthread.h>
#include <sched.h>
#include <sys/single_threaded.h>

/* With 32 bits the word before a chunk has 4 bytes. */
#define PLUMB_CHUNK_EXTRA (sizeof(void*) == 4 ? 4u : 0u)

void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void __libc_free(void* chunk);

static inline void* plumb_take_chunk(size_t size, int is_cleared) {
  return is_cleared ? __libc_calloc(1, size) : __libc_malloc(size);
}
static inline void plumb_drop_chunk(void* chunk) { __libc_free(chunk); }

/* --- One lock, which processes with one thread do not take --- */

static char plumb_is_taken;

static inline int plumb_lock(void) {
  if (__libc_single_threaded) return 0;
  while (__atomic_test_and_set(&plumb_is_taken, __ATOMIC_ACQUIRE)) sched_yield();
  return 1;
}

static inline void plumb_unlock(int was_locked) {
  if (was_locked) __atomic_clear(&plumb_is_taken, __ATOMIC_RELEASE);
}

/* A child starts with one thread, whatever the others of its parent were about. */
static void lock_for_fork(void) {
  while (__atomic_test_and_set(&plumb_is_taken, __ATOMIC_ACQUIRE)) sched_yield();
}

static void unlock_after_fork(void) { __atomic_clear(&plumb_is_taken, __ATOMIC_RELEASE); }

static inline void plumb_lock_at_fork(void) { pthread_atfork(lock_for_fork, unlock_after_fork, unlock_after_fork); }

#endif

#endif
