/*
 * What instrumented code calls. C99, no dependency, no malloc: all state is in arenas of fixed size (config.h). What
 * does not fit is taken as concrete and counted (PLUMB_PIN_FULL).
 *
 * A shadow is the id of the expression that a value has (protocol.h), 0 if the value does not depend on input. Code
 * tests shadows and the filter inline and calls the runtime only when something is symbolic.
 */
#ifndef PLUMB_CONCOLIC_RUNTIME_H
#define PLUMB_CONCOLIC_RUNTIME_H

#include <stddef.h>
#include <stdint.h>

#include "config.h"
#include "protocol.h"

typedef uint32_t plumb_id;

/* --- Expressions: `op` is a term::Op; values are zero-extended to 64 bits and used where the id is 0 --- */

/* Gives 0 if all ids are 0. Operands and result have at most 64 bits. */
plumb_id __plumb_unary(uint32_t op, uint32_t width, uint32_t parameter, plumb_id a);
plumb_id __plumb_binary(uint32_t op, uint32_t width, uint32_t operand_width, plumb_id a, uint64_t a_value, plumb_id b,
                        uint64_t b_value);
/* if condition then a else b, for a symbolic condition */
plumb_id __plumb_select(uint32_t width, plumb_id condition, plumb_id a, uint64_t a_value, plumb_id b, uint64_t b_value);
/* `op`: FloatOp Equal, Less, LessEqual or Unordered; values are the bits */
plumb_id __plumb_float(uint32_t op, uint32_t width, plumb_id a, uint64_t a_value, plumb_id b, uint64_t b_value);

/* --- Memory --- */

/*
 * filter[(address >> PLUMB_GRANULE_BITS) & (PLUMB_FILTER_SIZE - 1)] is not 0 if a byte of the granule of the address
 * may be symbolic. An access that crosses granules tests both.
 */
#define PLUMB_GRANULE_BITS 6
extern uint8_t __plumb_filter[PLUMB_FILTER_SIZE];
/*
 * The same, bit for byte: bit i of masks[(address >> 3) & (PLUMB_MASKS_SIZE - 1)] is not 0 if the byte at (address &
 * ~7)
 * + i may be symbolic, so that a concrete variable beside a symbolic one costs little more than one that is alone. The
 * first entry follows the last one once more: two bytes from one entry on tell all of an access of up to 8 bytes.
 */
extern uint8_t __plumb_masks[PLUMB_MASKS_SIZE + 1];

/* Are `size` bytes at `start` and at each of `count` steps from there concrete, and those between? Not 0 only if so,
   and if it was worth the look: a loop of few steps is not. */
uint32_t __plumb_is_concrete(const void* start, uint64_t step, uint64_t count, uint64_t size);

/* The shadow of the `size` bytes (1 to 8) at the address; width 8 * size. Also notices bytes that code without
   instrumentation has overwritten: these are concrete. */
plumb_id __plumb_load(const void* address, uint32_t size);
/* After a store of `size` bytes (1 to 8) with this shadow, when it or the filter is not 0. */
void __plumb_store(const void* address, uint32_t size, plumb_id id);
/* After memory was copied (the ranges may overlap), filled with a byte, or overwritten with concrete data. */
void __plumb_copied(const void* to, const void* from, size_t size);
void __plumb_filled(const void* to, size_t size, plumb_id byte);
void __plumb_cleared(const void* address, size_t size);

/*
 * An access of `size` bytes at a symbolic address. `base` and `object_size` are those of the object where the code
 * knows it, else null and 0: then the runtime looks for it. __plumb_read gives the value's shadow (which may be that of
 * the memory at the concrete address, if the address had to be pinned). __plumb_write is called before the store and in
 * place of __plumb_store. `constant` is the index of the constant global that the object is, plus 1, or 0.
 */
plumb_id __plumb_read(uint32_t site, plumb_id address_id, const void* address, uint32_t size, const void* base,
                      size_t object_size, uint32_t constant);
void __plumb_write(uint32_t site, plumb_id address_id, const void* address, uint32_t size, plumb_id id, uint64_t value,
                   const void* base, size_t object_size);

/*
 * Checks of what depends on input (runtime/checks has those of what is the case): each says in the trace what is
 * checked and whether it holds, so that the engine can look for inputs with which it does not. Called before the
 * access or operation and before its concrete check, if one of the ids is not 0.
 *
 * __plumb_access: `root` is the pointer that the address was computed from by adding what may be symbolic; `size` the
 * bytes of the object that starts there if the code knows it, else 0: the runtime looks for the object that root leads
 * into. Gives where the access is to go, as __plumb_bad_access does.
 * __plumb_root: before __plumb_access, if that root is symbolic itself: another input may lead into another object,
 * which is another path and no defect.
 * __plumb_sized: the heap object has a size that depends on input; every access to it is held against that.
 */
void* __plumb_access(uint32_t site, plumb_id address_id, void* address, uint32_t access, const void* root, size_t size);
void __plumb_root(uint32_t site, plumb_id root_id, const void* root);
void __plumb_index(uint32_t site, plumb_id index_id, uint64_t index, uint64_t count);
void __plumb_block(uint32_t site, plumb_id address_id, const void* address, plumb_id size_id, size_t size,
                   uint32_t is_write);
void __plumb_overflow(uint32_t site, uint32_t op, uint32_t width, plumb_id a, uint64_t a_value, plumb_id b,
                      uint64_t b_value);
void __plumb_shift(uint32_t site, uint32_t width, plumb_id amount_id, uint64_t amount);
void __plumb_alignment(uint32_t site, plumb_id address_id, const void* address, uint32_t alignment);
void __plumb_sized(const void* object, size_t size, plumb_id size_id);

/* Objects that pointers may lead to. Stack objects are registered after the function saved __plumb_stack_top, which it
   restores when it returns. Globals: the table that the instrumented module defines, sorted by nothing. */
extern uint32_t __plumb_stack_top;
void __plumb_stack_object(const void* base, size_t size);
struct plumb_global {
  const void* base;
  size_t size;
};
extern const struct plumb_global __plumb_globals[];
extern const uint32_t __plumb_global_count;
void* __plumb_malloc(size_t size);
void* __plumb_calloc(size_t count, size_t size);
void* __plumb_realloc(void* old, size_t size);
void* __plumb_aligned_alloc(size_t alignment, size_t size);
void __plumb_free(void* object);

/* --- Calls --- */

/*
 * A caller puts the shadows of the first PLUMB_ARGUMENTS scalar arguments into __plumb_arguments and the callee's
 * address into __plumb_callee; the callee takes them only if __plumb_callee is its own address, and resets it to null.
 * Results come back in __plumb_results (a struct's scalars in order); a caller that does not know its callee sets them
 * to 0 first.
 */
#define PLUMB_ARGUMENTS 64
#define PLUMB_RESULTS 8
extern plumb_id __plumb_arguments[PLUMB_ARGUMENTS];
extern plumb_id __plumb_results[PLUMB_RESULTS];
extern const void* __plumb_callee;

/*
 * Variadic arguments: a caller names the callee and the bytes that they have on the stack, then those that are
 * symbolic; `place` is an offset in the area of saved registers, or with PLUMB_ON_STACK from the first one on the
 * stack. The callee hands over a va_list of its own when it begins.
 */
#define PLUMB_VARIADIC 32
#define PLUMB_ON_STACK 0x80000000u
#define PLUMB_SAVED_REGISTERS 176u /* bytes, on x86-64: six of 8, eight of 16 */
void __plumb_variadic_call(const void* function, uint32_t size);
void __plumb_variadic_argument(uint32_t site, uint32_t place, uint32_t size, plumb_id id);
void __plumb_variadic_enter(const void* list, const void* function);

void __plumb_pin(uint32_t reason, uint32_t subject, uint32_t width, plumb_id id, uint64_t value);
void __plumb_lost(uint32_t reason, uint32_t subject);
/* A pointer goes to code without instrumentation; counts it if it points to symbolic bytes. */
void __plumb_escaped(uint32_t function, const void* pointer);

/* --- Control: sites are numbers that the engine can explain --- */

void __plumb_branch(uint32_t site, uint32_t edge, plumb_id condition);
void __plumb_switch(uint32_t site, uint32_t edge, plumb_id value);
void __plumb_call_target(uint32_t site, plumb_id id, const void* target);
/* Both with any id, also 0; do not return if `held` is 0. */
void __plumb_assume(uint32_t site, uint32_t held, plumb_id id);
void __plumb_check(uint32_t site, uint32_t held, plumb_id id);
/* Before a division by a symbolic divisor; does not return if it is 0. */
void __plumb_divisor(uint32_t site, plumb_id id, uint64_t value);
/* Does not return. */
void __plumb_error(uint32_t kind, uint32_t site);
/* In place of a function that nobody defines. Does not return. */
void __plumb_missing(const char* name);
/* In place of fork() and vfork(): fails with EAGAIN when the run has used up its processes; the child is not traced. */
int __plumb_fork(void);

/* The module's tables; the runtime maps shared memory over both. Sizes are multiples of the page size, as is the
   alignment. */
extern uint8_t __plumb_coverage[];
extern uint8_t __plumb_modes[];
extern const uint32_t __plumb_coverage_size;
extern const uint32_t __plumb_modes_size;

/* --- Regions (src/instrument/regions/region_plan.h) --- */

struct plumb_slot {
  uint32_t size;
  uint32_t is_written;
  uint32_t
      is_known; /* a variable of the program itself; otherwise the runtime checks that the slot lies in a live object */
};
struct plumb_cell {
  uint32_t slot;
  uint32_t offset;
  uint32_t size; /* 1, 2, 4 or 8 */
};
/* What a condition of the region can depend on: bytes of a slot, or the live-in of index `offset`. */
#define PLUMB_IN 0xffffffffu
struct plumb_mark {
  uint32_t slot; /* or PLUMB_IN */
  uint32_t offset;
  uint32_t size;
};
struct plumb_region {
  uint32_t index;
  uint32_t in_count;
  uint32_t slot_count;
  uint32_t out_count;
  uint32_t cell_count;
  const struct plumb_slot* slots;
  const struct plumb_cell* cells; /* of slots that are written */
  uint32_t mark_count;
  const struct plumb_mark* marks;
};
enum plumb_region_way { PLUMB_PLAIN = 0, PLUMB_PATH = 1 };
/*
 * At a governor whose mode is 1. `ids` and `values`: of the live-ins; `slots` and `slot_ids`: addresses of the memory
 * slots and their shadows. PLUMB_PLAIN: run the region without instrumentation and call __plumb_region_exit; if
 * anything was symbolic the visit is recorded. PLUMB_PATH: run the instrumented version (a slot's address is symbolic
 * or leads to no known object, slots overlap and one of them is written, no room; or data is symbolic but nothing that
 * a condition can depend on: the visit has one path, which a record would not say more about).
 */
uint32_t __plumb_region_enter(const struct plumb_region* region, const plumb_id* ids, const uint64_t* values,
                              const void* const* slots, const plumb_id* slot_ids);
/* Gives the id of the first live-out, the others follow; 0 if the visit was not recorded: nothing is symbolic. Also
   gives the cells their shadows. */
plumb_id __plumb_region_exit(const struct plumb_region* region, uint32_t destination);

/* --- Inputs --- */

/* Inputs are numbered as they are asked for; one of size 0 is none. Threads other than the first get zeros. */

/* The shadow is in __plumb_results[0]. `size` is 1, 2, 4 or 8. */
uint64_t __plumb_nondet(uint32_t size, const char* name);
/* `element`: 1, 2, 4 or 8, divides the size: of what the memory is an array of. A larger one makes simpler expressions.
 */
void __plumb_make_symbolic(void* memory, size_t size, const char* name, uint32_t element);

#endif
