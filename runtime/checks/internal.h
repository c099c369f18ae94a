/* What the files of runtime/checks share. */
#ifndef PLUMB_CHECKS_INTERNAL_H
#define PLUMB_CHECKS_INTERNAL_H

#include "checks.h"

#pragma GCC visibility push(hidden)

#define PLUMB_LIKELY(condition) __builtin_expect((condition) != 0, 1)
#define PLUMB_UNLIKELY(condition) __builtin_expect((condition) != 0, 0)

/* --- The map --- */

/* The map is there; before that, memory is allocated without poison. */
extern uint32_t plumb_is_mapped;
/* This thread began the checks. */
extern PLUMB_THREAD_LOCAL uint32_t plumb_is_first_thread;

/* A module without checks in its code has no table. */
#pragma weak __plumb_padded_globals
#pragma weak __plumb_padded_global_count
static inline uint32_t plumb_global_count(void) {
  return &__plumb_padded_global_count != 0 ? __plumb_padded_global_count : 0;
}

#define PLUMB_UNIT ((uintptr_t)1 << PLUMB_UNIT_BITS)
/* The 16 bytes before a heap object, its header: so an object's start is found
 * from inside. */
#define PLUMB_POISON_HEAD 0xfb
#if defined(PLUMB_BARE_METAL)
#define PLUMB_NULL_SIZE ((uintptr_t)64) /* there may be memory at address 0 */
#else
#define PLUMB_NULL_SIZE ((uintptr_t)1 << 16)
#endif
/* Programs have no addresses from here on. */
#if defined(__aarch64__)
#define PLUMB_ADDRESS_END ((uintptr_t)1 << 48)
#elif UINTPTR_MAX > 0xffffffffu
#define PLUMB_ADDRESS_END ((uintptr_t)1 << 47)
#else
#define PLUMB_ADDRESS_END (UINTPTR_MAX & ~(uintptr_t)4095)
#endif

#if defined(PLUMB_BARE_METAL)
/* Memory that the map covers: what __plumb_nowhere() gives, frames, the heap. */
extern uint8_t plumb_window[PLUMB_WINDOW_BYTES];
extern uint8_t plumb_units[PLUMB_WINDOW_BYTES / 8u + 8u];
/* Of any address, inside of the window or not. */
uint8_t plumb_unit(uintptr_t address);
/* How many bytes there can be from the address on; 0: none. */
uintptr_t plumb_reach(uintptr_t address);
/* Of memory of the heap that no object has. */
#define PLUMB_UNUSED PLUMB_POISON_FREED
#else
static inline uint8_t plumb_unit(uintptr_t address) { return *(const uint8_t*)PLUMB_ADDRESSABLE(address); }
static inline uintptr_t plumb_reach(uintptr_t address) {
  return address < PLUMB_ADDRESS_END ? PLUMB_ADDRESS_END - address : 0;
}
#define PLUMB_UNUSED 0
#endif
/* Is it a global variable? Asked of the first address of one that the code shows, on the stack or not. */
int plumb_is_global(uintptr_t base);
static inline uintptr_t plumb_round_up(uintptr_t value) { return (value + PLUMB_UNIT - 1) & ~(PLUMB_UNIT - 1); }
typedef uint64_t __attribute__((may_alias, aligned(1))) plumb_word;

/* The units of a range whose ends are multiples of a unit. */
static inline void plumb_set_units(uintptr_t begin, uintptr_t end, uint8_t value) {
  const ptrdiff_t word_size = sizeof(plumb_word);
  uint8_t* at = (uint8_t*)PLUMB_ADDRESSABLE(begin);
  uint8_t* last = (uint8_t*)PLUMB_ADDRESSABLE(end);
  plumb_word word = value * UINT64_C(0x0101010101010101);
  if (last - at >= word_size) {
    for (; last - at >= word_size; at += word_size) *(plumb_word*)(void*)at = word;
    *(plumb_word*)(void*)(last - word_size) = word;
  } else {
    while (at < last) *at++ = value;
  }
}

/* Poison behind `size` bytes at `base` up to `end`, a multiple of a unit. */
static inline void plumb_poison_behind(uintptr_t base, size_t size, uintptr_t end, uint8_t poison) {
  uintptr_t behind = base + size;
  if (behind % PLUMB_UNIT != 0) *PLUMB_ADDRESSABLE(behind) = (int8_t)(behind % PLUMB_UNIT);
  plumb_set_units(plumb_round_up(behind), end, poison);
}

/* The first byte of the range that may not be accessed, or its end; needs a
   range below PLUMB_ADDRESS_END. What is watched may be accessed; *is_watched
   is then set. */
uintptr_t plumb_first_bad(uintptr_t begin, uintptr_t end, int* is_watched);

struct plumb_range {
  uintptr_t begin;
  uintptr_t end;
};
/* Memory of the runtime itself, which is no program's; null if there is none.
 */
void* plumb_map_memory(size_t size);
/* What was mapped so, and the map. */
const struct plumb_range* plumb_own_memory(uint32_t* count);
/* The same at a place of its own, in whole pages; 0 if something else is there. */
int plumb_map_own(uintptr_t begin, uintptr_t end);

/* --- A map in pieces (cover_posix.c) --- */

#if !defined(PLUMB_PARTIAL_MAP)
#if UINTPTR_MAX > 0xffffffffu && !defined(__x86_64__) && !defined(PLUMB_BARE_METAL)
#define PLUMB_PARTIAL_MAP 1
#else
#define PLUMB_PARTIAL_MAP 0
#endif
#endif

#if PLUMB_PARTIAL_MAP
/* The map of what the process has when it starts, and of a range; 0 if there is no address space for it. */
int plumb_cover_process(void);
int plumb_cover(uintptr_t begin, uintptr_t end);
/* mmap() of the kernel: that of the program makes its piece of the map, too. */
void* plumb_map_pages(void* at, size_t size, int protection, int flags, int descriptor, int64_t offset);
#else
static inline int plumb_cover(uintptr_t begin, uintptr_t end) {
  (void)begin, (void)end;
  return 1;
}
#endif
#if !defined(PLUMB_BARE_METAL)
/* For a handler of SIGSEGV: 1 if a piece of the map was missing and is there now. Else, if the fault is in the map
   where no program has memory, the address becomes the one that was looked up. */
int plumb_cover_fault(uintptr_t* address);
#endif

/* --- Stacks --- */

/* Who called a function of the runtime that is called from outside. */
struct plumb_caller {
  const void* address;      /* of the return */
  const void* const* frame; /* the caller's frame pointer, if it has any */
};
#if defined(PLUMB_BARE_METAL)
#define PLUMB_CALLER {__builtin_return_address(0), 0}
#elif defined(__riscv)
/* The frame pointer is where the frame ends; below are the return address and the caller's frame pointer. */
#define PLUMB_CALLER {__builtin_return_address(0), ((const void* const* const*)__builtin_frame_address(0))[-2]}
#elif defined(__s390x__)
/* The frame's address is the caller's stack pointer, where the caller's back chain is if it has any (-mbackchain). */
#define PLUMB_CALLER {__builtin_return_address(0), (const void* const*)__builtin_frame_address(0)}
#else
#define PLUMB_CALLER {__builtin_return_address(0), *(const void* const* const*)__builtin_frame_address(0)}
#endif

/* How many frames stacks have; PLUMB_STACK_DEPTH at most. */
extern uint32_t plumb_stack_limit;
/* The part of the stack that is surely mapped, from a frame of this thread up:
 * its end, or 0. */
uintptr_t plumb_stack_end(uintptr_t frame);
void plumb_prepare_stacks(void);
/* Is the address in the code of the program itself? */
int plumb_is_program(const void* address);
void plumb_take_stack(struct plumb_stack* stack, struct plumb_caller caller);
/* The same from a signal handler; `below`: the stack pointer of what it has
 * interrupted. */
void plumb_take_stack_above(struct plumb_stack* stack, struct plumb_caller caller, uintptr_t below);
/* Stacks that are kept have numbers, 0 if there is no room. Under the heap's
 * lock. */
uint32_t plumb_keep_stack(struct plumb_caller caller);
void plumb_kept_stack(struct plumb_stack* stack, uint32_t number);

/* --- The heap --- */

/* What the C library's allocator aligns its chunks to. */
#if UINTPTR_MAX > 0xffffffffu || defined(__i386__) || defined(PLUMB_BARE_METAL)
#define PLUMB_CHUNK_ALIGNMENT 16u
#else
#define PLUMB_CHUNK_ALIGNMENT 8u
#endif

/* The state of a block, with flags in its low bits. */
enum { PLUMB_BLOCK_LIVE = 0x4c40, PLUMB_BLOCK_FREED = 0x4640, PLUMB_BLOCK_FLAGS = 3 };
enum { PLUMB_OF_PROGRAM = 1, PLUMB_MARKED = 2 };

/* Before each heap object. Small, for the sake of programs with many objects;
 * what is seldom needed is in the table. */
struct plumb_block {
  uint32_t size_low;
  uint16_t size_high;
  uint16_t state;
  uint32_t allocated; /* stack */
  uint32_t index;     /* in the table */
};
#define PLUMB_BLOCK_SIZE 16u

static inline uintptr_t plumb_object_of(const struct plumb_block* block) { return (uintptr_t)block + PLUMB_BLOCK_SIZE; }
static inline size_t plumb_block_size(const struct plumb_block* block) {
  return (size_t)((uint64_t)block->size_high << 32 | block->size_low);
}
static inline int plumb_is_live(const struct plumb_block* block) {
  return (block->state & ~(uint32_t)PLUMB_BLOCK_FLAGS) == PLUMB_BLOCK_LIVE;
}
static inline struct plumb_block* plumb_block_at(uintptr_t object) {
  return (struct plumb_block*)(object - PLUMB_BLOCK_SIZE);
}

/* The table of all objects that are live or in the quarantine. Entries without
   a block, and blocks that are not live, are between the live ones. */
struct plumb_entry {
  struct plumb_block* block;
  uint32_t number;  /* in the order of allocation, from 1; of a library's, where they stay between runs, another one */
  uint32_t link;    /* of the quarantine, of free entries, of the leak search:
                       index + 1 */
  uint32_t freed;   /* stack */
  uint32_t size_id; /* of a watched object */
  uint32_t site;    /* of the call that allocated it, or 0 */
  size_t offset;    /* from the chunk of the C library's allocator to the object */
};
extern struct plumb_entry* plumb_entries;
extern uint32_t plumb_entry_count;
/* Gives the index of a new entry plus 1, 0 if there is no memory. Both under
 * the heap's lock. */
uint32_t plumb_take_entry(void);
void plumb_free_entry(uint32_t index);
#if defined(PLUMB_BARE_METAL)
/* For a fresh start in the same memory: as if no object was ever allocated, but for those that `keeps` says. */
void plumb_reset_entries(int (*keeps)(uint32_t index));
/* The same of the whole heap. Live objects that are marked stay, as those of a library. */
void plumb_reset_heap(void);
#endif

static inline struct plumb_entry* plumb_entry_of(const struct plumb_block* block) {
  return &plumb_entries[block->index];
}
/* The block of the entry if it is live, else null. */
static inline struct plumb_block* plumb_live_block(uint32_t index) {
  struct plumb_block* block = plumb_entries[index].block;
  return block != 0 && plumb_is_live(block) ? block : 0;
}

/* Live objects that the program itself allocated. */
extern uint32_t plumb_program_count;
/* The lowest and the highest address that objects have had: others need no
 * look. */
extern struct plumb_range plumb_heap;

void* plumb_allocate(size_t size, size_t alignment, int is_cleared, struct plumb_caller caller);
/* As calloc() and aligned_alloc(). */
void* plumb_allocate_array(size_t count, size_t size, struct plumb_caller caller);
void* plumb_allocate_aligned(size_t alignment, size_t size, struct plumb_caller caller);
void* plumb_reallocate(void* old, size_t size, struct plumb_caller caller);
void plumb_release(void* object, struct plumb_caller caller);
/* Is it the first address of an object, live or in the quarantine? Before there
 * is a map, whatever comes is one. */
int plumb_is_object(uintptr_t address);
/* Of the live object that starts there, in the order of allocation from 1; 0 if
 * there is none. */
uint32_t plumb_block_number(const void* object);
/* From this size on objects are not looked for by a walk over the map. */
#define PLUMB_TABLE_SIZE ((size_t)4096)
/* The live object that contains the address, looked for in so many bytes before
 * it; null if there is none. */
struct plumb_block* plumb_find_block(uintptr_t address, uintptr_t reach);
/* The live or freed block that starts last at or before the address, and the
 * first one behind it, as far as the reach.
 */
struct plumb_block* plumb_block_before(uintptr_t address, uintptr_t reach);
struct plumb_block* plumb_block_behind(uintptr_t address, uintptr_t reach);
/* A block that contains the address or ends less than so many bytes before it,
 * of all of them one by one. */
struct plumb_block* plumb_search_block(uintptr_t address, uintptr_t behind);
/* Is it the address that the C library's allocator has for the chunk behind the block? */
int plumb_is_of_next(const struct plumb_block* block, uintptr_t address);
/* What was allocated before there was a map gets its poison. */
void plumb_poison_heap(void);

/* Weak: the runtime of traced programs follows its shadows by these. */
void plumb_object_born(void* object, size_t size);
void plumb_object_died(void* object, size_t size);
void plumb_object_moved(void* to, const void* from, size_t size);
/* The window is full (bare metal). */
void plumb_object_refused(void);
/* A frame has no room: its variables go without checks. */
void plumb_frame_refused(void);
/* Objects may leak, and it cannot be told whether they do (bare metal). */
void plumb_leaks_unknown(void);

/* --- Frames --- */

struct plumb_found_variable {
  uintptr_t base;
  size_t size;
  uint32_t site;
};
void plumb_prepare_frames(void);
/* Is the address in the memory that frames are taken from? */
int plumb_is_in_frames(uintptr_t address);
/* The variable next to the address in the frame that has it; live or not. 0 if
 * there is none. */
int plumb_nearest_variable(uintptr_t address, struct plumb_found_variable* found);
/* The variable of a live frame that contains the address. */
int plumb_find_variable(uintptr_t address, struct plumb_found_variable* found);
/* Has the function whose frame the address lies in not returned? */
int plumb_is_frame_live(uintptr_t address);
/* Calls `visit` for the memory of each live frame; `stack`: where the caller is
 * on the real stack. */
void plumb_visit_frames(uintptr_t stack, void (*visit)(uintptr_t begin, uintptr_t end));

/* --- Telling --- */

/* A free() or its like of what is no live object. */
void plumb_tell_bad_free(uint32_t defect, const void* address, struct plumb_caller caller);
/* Of all live objects that are not marked, one an allocation's place. */
void plumb_tell_leaks(uint32_t entry_returned);
void plumb_describe_block(struct plumb_defect_record* record, const struct plumb_block* block);

#pragma GCC visibility pop

#endif
