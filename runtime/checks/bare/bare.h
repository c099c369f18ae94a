/*
 * The checks without an operating system: what differs from the files of runtime/checks that need one. One program
 * entry runs again and again in the same memory; plumb_restore_globals() and then plumb_reset_checks() make it as new,
 * but for code without instrumentation, the C library's first of all: its variables stay as they are, so heap objects
 * that these lead to stay, too.
 */
#ifndef PLUMB_CHECKS_BARE_BARE_H
#define PLUMB_CHECKS_BARE_BARE_H

#include "../internal.h"

#pragma GCC visibility push(hidden)

/* --- For the loop that runs the program (runtime/board) --- */

/* The variables of the instrumented module as they are when it is loaded. */
void plumb_restore_globals(void);
/* Frames, heap and map as they are before the first run, but for heap objects that variables lead to. */
void plumb_reset_checks(void);
/* Of the stack, what lies between the place where a run ends and this one belongs to the run: the caller's frame. */
void plumb_set_stack_end(uintptr_t end);

/* Variables of the module that are not constant, with room behind them where they have any. `image` is what they hold
   when the program is loaded, null: zeros. The table that the module defines. */
struct plumb_image {
  void* base;
  const void* image;
  size_t size;
};
extern const struct plumb_image __plumb_images[];
extern const uint32_t __plumb_image_count;

/* --- Pools (pool.c) --- */

/*
 * Memory that chunks are cut from: first fit, neighbours that are free are one chunk. A chunk has a head of 8 bytes;
 * its address is `begin` and a multiple of `unit`. The heads lie in memory that the program may overwrite where it is
 * not checked, so that a chain that does not fit is the end of it.
 */
struct plumb_pool {
  uintptr_t begin;
  uintptr_t end; /* begin and a multiple of unit */
  uintptr_t unit;
};
#define PLUMB_POOL_HEAD 8u

void plumb_start_pool(struct plumb_pool* pool, uintptr_t begin, uintptr_t end, uintptr_t unit);
/* Gives the chunk with room for so many bytes behind its head, or 0. */
uintptr_t plumb_take_of_pool(const struct plumb_pool* pool, size_t size);
/* The same from the pool's end. */
uintptr_t plumb_take_last_of_pool(const struct plumb_pool* pool, size_t size);
/* The same at this place; 0 if it is not free. */
int plumb_take_at(const struct plumb_pool* pool, uintptr_t chunk, size_t size);
void plumb_give_to_pool(const struct plumb_pool* pool, uintptr_t chunk);
/* The taken chunks by rising address, from 0; 0 after the last. */
uintptr_t plumb_next_of_pool(const struct plumb_pool* pool, uintptr_t chunk);

/* The pool of heap objects; chunks are given as the address behind their head. */
void* plumb_take_of_heap(size_t size, int is_cleared);
void plumb_give_to_heap(void* chunk);
/* The chunk of an object that outlives a reset is taken again; 0 if that cannot be. */
int plumb_keep_in_heap(void* chunk, size_t size);

/* --- Parts of a reset --- */

void plumb_reset_frames(void);
void plumb_reset_pool(void);
void plumb_reset_leaks(void);
/* Marks the objects that variables lead to; where it is not known where these are, all that are not the program's. */
void plumb_mark_kept(void);

/* Where the areas of the window begin. */
#define PLUMB_FRAMES_BEGIN ((uintptr_t)plumb_window + PLUMB_NOWHERE_BYTES)
#define PLUMB_HEAP_BEGIN (PLUMB_FRAMES_BEGIN + PLUMB_FRAMES_BYTES)
#define PLUMB_WINDOW_END ((uintptr_t)plumb_window + PLUMB_WINDOW_BYTES)

#pragma GCC visibility pop

#endif
