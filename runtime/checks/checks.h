/*
 * What code with checks calls: the program under test with or without shadows
 * of its inputs. C99, no dependency but the C library's allocator.
 *
 * Addressability. One byte a unit of 8 bytes of memory, at
 * PLUMB_ADDRESSABLE(address), says what of the unit may be accessed: 0 all of
 * it; 1 to 7 so many bytes from its start; above, why not (enum plumb_poison).
 * Code tests it inline and calls the runtime when the test fails; the runtime
 * decides exactly. Memory that nobody told of (the C library's, the real stack)
 * is 0.
 *
 * A violation does not end the run: it is told (plumb_tell_defect), and the
 * access goes to a place where it does no harm. So one run can show several
 * defects, and what comes after the first is worth less than the first.
 */
#ifndef PLUMB_CHECKS_CHECKS_H
#define PLUMB_CHECKS_CHECKS_H

#include <stddef.h>
#include <stdint.h>

#include "../concolic/config.h"

/* What is wrong; the numbers are in traces (PLUMB_DEFECT of protocol.h). */
enum plumb_defect {
  PLUMB_DEFECT_INDEX = 1,   /* of an array of the source, beyond its bounds */
  PLUMB_DEFECT_POINTER,     /* access beyond a heap object */
  PLUMB_DEFECT_ARRAY,       /* access through a pointer beyond a stack object or a
                               global */
  PLUMB_DEFECT_NULL,        /* access at or close to address 0 */
  PLUMB_DEFECT_WILD,        /* access at an address where nothing can be */
  PLUMB_DEFECT_FREED,       /* access to a heap object after free() */
  PLUMB_DEFECT_RETURNED,    /* access to a variable of a function that has returned
                             */
  PLUMB_DEFECT_DOUBLE_FREE, /* free() of what was freed */
  PLUMB_DEFECT_BAD_FREE,    /* free() of what malloc() did not give */
  PLUMB_DEFECT_LEAK,        /* nothing points to the object at the end */
  PLUMB_DEFECT_CONSTANT,    /* write to a constant */
  PLUMB_DEFECT_DIVISION,    /* by zero */
  PLUMB_DEFECT_OVERFLOW,    /* of signed arithmetic */
  PLUMB_DEFECT_SHIFT,       /* by less than 0, or by the width or more */
  PLUMB_DEFECT_ALIGNMENT,
  PLUMB_DEFECT_SCOPE /* access to a variable whose block was left */
};

/* In the map of addressability: negative as an int8_t, so that "the access ends
   in byte `last` of the unit, and last >= what the map says" is true of all of
   them. */
enum plumb_poison {
  PLUMB_POISON_WATCHED = 0x80, /* addressable, in a heap object whose size
                                  depends on input: the runtime wants to know */
  PLUMB_POISON_HEAP = 0xfa,    /* around a heap object */
  PLUMB_POISON_FREED = 0xfd,
  PLUMB_POISON_STACK = 0xf1, /* around a variable */
  PLUMB_POISON_RETURNED = 0xf5,
  PLUMB_POISON_SCOPE = 0xf8, /* a variable of a live frame, whose block was left */
  PLUMB_POISON_GLOBAL = 0xf9,
  PLUMB_POISON_NULL = 0xf0 /* the first 64 KiB */
};

#if defined(PLUMB_SINGLE_THREAD)
#define PLUMB_THREAD_LOCAL
#else
#define PLUMB_THREAD_LOCAL __thread __attribute__((tls_model("local-exec")))
#endif

#define PLUMB_UNIT_BITS 3
/* Below 2^31, so that it is part of an instruction. Emulators of ARM put
   libraries below 0x40000000 and the stack above, kernels all of it higher up. */
#define PLUMB_MAP_OFFSET_64 0x7fff8000ul
#define PLUMB_MAP_OFFSET_32 0x20000000ul
#define PLUMB_MAP_OFFSET_ARM 0x50000000ul
/* On bare metal there is a map of the window of memory alone that heap and
   frames lie in, and code calls the runtime for every access. */
#if defined(PLUMB_BARE_METAL)
#define PLUMB_MAP_OFFSET ((uintptr_t)plumb_units - ((uintptr_t)plumb_window >> PLUMB_UNIT_BITS))
#elif !defined(PLUMB_MAP_OFFSET)
#if UINTPTR_MAX > 0xffffffffu
#define PLUMB_MAP_OFFSET PLUMB_MAP_OFFSET_64
#elif defined(__arm__)
#define PLUMB_MAP_OFFSET PLUMB_MAP_OFFSET_ARM
#else
#define PLUMB_MAP_OFFSET PLUMB_MAP_OFFSET_32
#endif
#endif
#define PLUMB_ADDRESSABLE(address) ((int8_t*)(((uintptr_t)(address) >> PLUMB_UNIT_BITS) + PLUMB_MAP_OFFSET))

/* `access` of what follows: its size in bytes, with PLUMB_ACCESS_WRITE for a
 * write. */
#define PLUMB_ACCESS_WRITE 0x80000000u

/* --- Accesses: called when the inline test failed --- */

/* Gives where the access is to go: the address itself if there is nothing wrong
   after all, else a place of at least 64 bytes that nobody uses (zeros for a
   read). */
void* __plumb_bad_access(uint32_t site, void* address, uint32_t access);
/* A block of memory (copy, fill, a buffer given to code without checks), of any
   size, tested in full; called always. Gives 0 if it is wrong, and then nothing
   of it is to be accessed; else 1. */
uint32_t __plumb_check_block(uint32_t site, const void* address, size_t size, uint32_t is_write);
/* An index that is not below `count`. Told, and nothing more: the code goes on
 * with a place of __plumb_nowhere(). */
void __plumb_bad_index(uint32_t site, uint64_t index, uint64_t count);
/* PLUMB_NOWHERE_BYTES that nobody uses, for pointers that were found wrong. Filled with
 * zeros. What accesses it is never wrong. */
void* __plumb_nowhere(void);
/* The address does not lie in the object of known bounds that it was made from.
 * As __plumb_bad_access. */
void* __plumb_bad_offset(uint32_t site, void* address, uint32_t access, const void* base, size_t size);
/* `defect`: OVERFLOW, SHIFT, ALIGNMENT or DIVISION, with two numbers for the
 * message. */
void __plumb_bad_value(uint32_t site, uint32_t defect, uint64_t a, uint64_t b);
/* How many bytes from the address on may be accessed, at most `size`. Tells
 * nothing; what is watched does not count. */
size_t __plumb_room(const void* address, size_t size);

/* --- Objects --- */

/* In programs for boards: the site of the call of an allocating or freeing
   function, or of a model, that comes next or is going on, so that leaks, bad
   frees and defects in models have a place without call stacks. 0 outside of
   such calls. */
extern PLUMB_THREAD_LOCAL uint32_t __plumb_call_site;

/*
 * Variables of a function that are reached through pointers lie in a frame
 * beside the real stack, with room around each: `size` bytes, aligned to 32,
 * that keep their poison after the return until many others were used. `frame`
 * describes them, by rising offset, which is a multiple of 8. With no room the
 * frame is null, and the function uses its real stack without poison; so do all
 * threads but the first. A function that is left otherwise (longjmp, an
 * exception) need not leave its frame.
 */
struct plumb_variable {
  uint32_t offset;
  uint32_t size;
  uint32_t site; /* of the declaration, or 0 */
};
struct plumb_frame {
  uint32_t size;
  uint32_t count;
  const struct plumb_variable* variables;
};
void* __plumb_enter_frame(const struct plumb_frame* frame);
void __plumb_leave_frame(const struct plumb_frame* frame, void* memory);
/* A variable of a frame begins or ends its life; elsewhere nothing happens. */
void __plumb_enter_scope(void* variable, size_t size);
void __plumb_leave_scope(void* variable, size_t size);
/* Globals with room behind them, aligned to 8: `size` of `room` bytes are the
   variable's. The table that the module defines. */
struct plumb_padded_global {
  const void* base;
  size_t size;
  size_t room;
};
extern const struct plumb_padded_global __plumb_padded_globals[];
extern const uint32_t __plumb_padded_global_count;

/* --- Before and after main --- */

/* Maps the map, poisons globals and the first 64 KiB: once, by the first thread
   of the process that all runs are forked from, before the program's own code.
   Ends the process if there is no room for the map. */
void plumb_begin_checks(void);
/* The entry function has returned: its variables hold no pointers that count.
 */
void __plumb_entry_returned(void);
/* Tells of heap objects that nothing points to. The runtime calls it at exit,
 * after the program's own handlers. */
void plumb_check_leaks(void);

/* --- Told to whoever runs the program (the trace, or the report of a replay)
 * --- */

enum plumb_object_kind { PLUMB_OBJECT_NONE, PLUMB_OBJECT_GLOBAL, PLUMB_OBJECT_STACK, PLUMB_OBJECT_HEAP };
#define PLUMB_STACK_DEPTH 16
struct plumb_stack {
  uint32_t depth;
  const void* frames[PLUMB_STACK_DEPTH]; /* return addresses, innermost first */
};
struct plumb_defect_record {
  uint32_t kind;   /* enum plumb_defect */
  uint32_t site;   /* of a leak that of the allocation, of a bad free that of the
                      call; 0 where call stacks tell */
  uint32_t access; /* 0: none, as of free() and of a leak */
  uint32_t object_kind;
  uint64_t address;
  uint64_t object_base;
  uint64_t object_size;
  uint64_t a, b;            /* of a bad value or index. Of a leak a: has the entry
                               returned? Else of a stack object a: its site */
  struct plumb_stack stack; /* where it happened; of a leak empty */
  struct plumb_stack allocated;
  struct plumb_stack freed;
};
/* Defined by runtime/concolic (a record of the trace) and by the replay (a
 * report). May not return. */
void plumb_tell_defect(const struct plumb_defect_record* defect);
/* An access to a watched object that lies in it. Likewise; the replay has none.
 */
void plumb_tell_watched(uint32_t site, const void* address, uint32_t access, const void* base, size_t size,
                        uint32_t size_id);
/* From now on accesses to the heap object are told of. */
void plumb_watch_object(const void* base, uint32_t size_id);
/* What plumb_watch_object() was given for the heap object that begins there, or
 * 0. */
uint32_t plumb_watched_size(const void* base);

#endif
