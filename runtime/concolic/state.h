/*
 * What the runtime's own files share: the state of a run, the stream of records, and the seam to the transport.
 *
 * The core (all files but host*.c and heap.c) needs nothing but a C compiler. Records are written in place, into a
 * buffer that the transport gives, and count only once they are complete. A transport fills in `plumb_state` before a
 * run, sets plumb_recording, and defines the table `plumb_transport`; in shared memory the buffer is the stream
 * itself, elsewhere it may be any memory that make_room() sends and empties.
 */
#ifndef PLUMB_CONCOLIC_STATE_H
#define PLUMB_CONCOLIC_STATE_H

#include "../checks/checks.h"
#include "runtime.h"

#pragma GCC visibility push(hidden)

#define PLUMB_NORETURN __attribute__((noreturn))
#define PLUMB_UNLIKELY(condition) __builtin_expect((condition) != 0, 0)
#define PLUMB_BARRIER() __asm__ volatile("" ::: "memory")

/*
 * Is this thread the one that is traced, and outside the runtime? Entering the runtime clears it, so that a signal
 * handler that runs instrumented code in the middle of a record writes nothing. Always 0 in other threads and in
 * processes that the program starts.
 */
extern PLUMB_THREAD_LOCAL uint32_t plumb_recording;
/* This thread was traced up to PLUMB_CUT. */
extern PLUMB_THREAD_LOCAL uint32_t plumb_is_cut;

static inline int plumb_enter(void) {
  if (PLUMB_UNLIKELY(!plumb_recording)) return 0;
  plumb_recording = 0;
  PLUMB_BARRIER();
  return 1;
}

static inline void plumb_leave(void) {
  PLUMB_BARRIER();
  plumb_recording = 1;
}

/* Words at the end of the stream that only PLUMB_ERROR and PLUMB_END use, for which there is always room. */
#define PLUMB_RESERVED_WORDS 4u

struct plumb_state {
  /* The stream: words up to `complete` are whole records, those up to `position` belong to the one being written. */
  uint32_t* stream;
  uint32_t capacity; /* in words, without PLUMB_RESERVED_WORDS behind them */
  uint32_t position;
  uint32_t complete;
  volatile uint32_t* published; /* where the engine reads `complete` */
  plumb_id next_id;
  uint32_t nodes;
  uint32_t has_error;
  uint32_t left_out;                      /* records of PLUMB_PIN_FULL */
  const struct plumb_region* open_region; /* that was entered with a record and not left */
  /* Limits and inputs, as struct plumb_shared has them */
  uint32_t max_inputs;
  uint32_t max_nodes;
  uint32_t max_object;
  uint32_t input_count;
  const uint8_t* given;
  uint32_t given_size;
  uint32_t given_position;
  uint32_t random_low;
  uint32_t random_high;
};
extern struct plumb_state plumb_state;

/* --- The transport --- */

/* How records leave the program and how a run ends there: shared memory (host.c) or the wire (runtime/board). */
struct plumb_transport {
  /* The stream has no room for so many words behind `position`: makes it, or returns 0. May take complete records out
     of the buffer and move the incomplete one to its start, adjusting `complete` and `position`. */
  int (*make_room)(uint32_t words);
  /* The run is over; PLUMB_END with this code was published if the thread is traced. Does not return. */
  void (*end)(uint32_t code);
  /* As above after PLUMB_ERROR. */
  void (*fail)(uint32_t error);
  /* The program has a handler of its own for abort(): then that is no error yet, and fail() calls it. */
  int (*is_abort_handled)(void);
};
/* Each transport defines its own; a program is linked with one. */
extern const struct plumb_transport plumb_transport;

static inline PLUMB_NORETURN void plumb_transport_end(uint32_t code) {
  plumb_transport.end(code);
  __builtin_unreachable();
}

static inline PLUMB_NORETURN void plumb_transport_fail(uint32_t error) {
  plumb_transport.fail(error);
  __builtin_unreachable();
}

/* --- Records --- */

static inline uint32_t plumb_head(uint32_t kind, uint32_t code, uint32_t width) {
  return kind | code << 8 | width << 16;
}

PLUMB_NORETURN void plumb_end_run(uint32_t code);
/* For a fatal signal too: gives up the record that is being written. Only the first error of a run is recorded. */
void plumb_record_error(uint32_t error, uint32_t site);
void plumb_make_room(uint32_t words);
/* Before a record that counts towards the limit of path nodes. 0: the limit is reached, and this thread is not traced
   any more. */
int plumb_count_node(void);

/* The next `words` words of the record that is being written. */
static inline uint32_t* plumb_words(uint32_t words) {
  uint32_t* first;
  if (PLUMB_UNLIKELY(plumb_state.capacity - plumb_state.position < words)) plumb_make_room(words);
  first = plumb_state.stream + plumb_state.position;
  plumb_state.position += words;
  return first;
}

static inline void plumb_publish(void) {
  PLUMB_BARRIER();
  plumb_state.complete = plumb_state.position;
  *plumb_state.published = plumb_state.position;
}

static inline void plumb_put_value(uint32_t* words, uint64_t value) {
  words[0] = (uint32_t)value;
  words[1] = (uint32_t)(value >> 32);
}

/* `count` new expressions; gives the first id. */
static inline plumb_id plumb_make_ids(uint32_t count) {
  plumb_id first = plumb_state.next_id;
  plumb_state.next_id += count;
  return first;
}

void plumb_put_bytes(const uint8_t* bytes, uint32_t size);
/* The object of protocol.h at the address. */
void plumb_put_object(const uint8_t* base, uint32_t size);
void plumb_put_known_object(const uint8_t* base, uint32_t constant);
void plumb_record_lost(uint32_t reason, uint32_t subject);
void plumb_record_pin(uint32_t reason, uint32_t subject, uint32_t width, plumb_id id, uint64_t value);

/* Defects that others found when the stream was being written; the last chance is the end of the run. */
void plumb_tell_waiting(void);

struct plumb_defect_record;
/* Before the defect: an access ended behind a heap object whose size depends on input, so with another size it does
 * not. */
void plumb_record_beyond(const struct plumb_defect_record* defect);

/* --- Expressions --- */

/* Of term::Op */
enum {
  PLUMB_OP_AND = 3,
  PLUMB_OP_ADD = 7,
  PLUMB_OP_SUB = 8,
  PLUMB_OP_MUL = 9,
  PLUMB_OP_SDIV = 12,
  PLUMB_OP_SREM = 13,
  PLUMB_OP_ULE = 22,
  PLUMB_OP_CONCAT = 33,
  PLUMB_OP_EXTRACT = 34,
  PLUMB_OP_ITE = 38
};

plumb_id plumb_constant(uint32_t width, uint64_t value);
plumb_id plumb_operator(uint32_t op, uint32_t width, uint32_t parameter, plumb_id a, plumb_id b, plumb_id c);
void plumb_forget_constants(void);

/* --- Objects --- */

struct plumb_object {
  const uint8_t* base;
  size_t size;
};

/* Sorts the globals; once, before the first run. */
void plumb_prepare_objects(void);
/* The live object that the range lies in; size 0 if there is none. */
struct plumb_object plumb_find_object(const void* address, size_t size);
/* Gives 0 if the table is full. */
int plumb_add_heap_object(const void* base, size_t size);
/* Gives the size that was added, 0 if the object is unknown. */
size_t plumb_remove_heap_object(const void* base);
/* Of the live heap object that begins there: 1, 2, 3, … in the order of allocation, so the same on every run of a path,
   whatever the sizes. 0 if there is none. */
uint32_t plumb_heap_number(const void* base);

/* --- A fresh start in the same process --- */

/* All that a run leaves behind in the core, but plumb_state: for transports that do not start a process a run. Objects
   of the heap are those of runtime/checks, which has a reset of its own. */
void plumb_reset_run(void);
void plumb_reset_objects(void);
void plumb_reset_check_records(void);
void plumb_reset_told(void);
void plumb_reset_variadic(void);

static inline uint32_t plumb_pointer_width(void) { return (uint32_t)(8 * sizeof(void*)); }

#pragma GCC visibility pop

#endif
