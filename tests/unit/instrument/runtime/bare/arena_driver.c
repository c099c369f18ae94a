/*
 * Random operations of instrumented code on the core of the runtime, whose arenas may be tiny (PLUMB_ARENA_BYTES).
 * Every expression of the stream is evaluated on the inputs of the run: what memory has as its expression must be its
 * value, whatever was lost for want of room. Prints a line a run: how many records say that something did not fit, and
 * a sum of all records but constants, which small arenas send again. It is the same for all sizes where nothing was
 * lost.
 *
 *     arena_driver FIRST_SEED COUNT
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "arena_reader.h"

/* --- The module: no globals --- */

const struct plumb_global __plumb_globals[1] = {{0, 0}};
const uint32_t __plumb_global_count = 0;
const struct plumb_padded_global __plumb_padded_globals[1] = {{0, 0, 0}};
const uint32_t __plumb_padded_global_count = 0;

/* --- The transport --- */

static jmp_buf way_out;

static int make_room(uint32_t words) {
  (void)words;
  return 0;
}
static void end(uint32_t code) {
  (void)code;
  longjmp(way_out, 1);
}
static int is_abort_handled(void) { return 0; }
const struct plumb_transport plumb_transport = {make_room, end, end, is_abort_handled};

/* --- Instrumented code --- */

/* At the same address for all sizes of arenas: addresses are in the stream. */
#define MEMORY ((uint8_t*)0x30000000)
#define MEMORY_SIZE 16384u
#define OBJECT_SIZE 256u
static uint32_t object_count;

struct value {
  uint64_t value;
  plumb_id id;
  uint32_t size;
};
#define REGISTERS 8u
static struct value registers[REGISTERS];

static uint64_t state;
static uint32_t random_below(uint32_t limit) {
  state = state * UINT64_C(6364136223846793005) + 1442695040888963407u;
  return (uint32_t)(state >> 33) % limit;
}

static struct value* some_register(void) { return &registers[random_below(REGISTERS)]; }

static void check(const struct value* value) {
  arena_follow();
  if (value->id != 0 && arena_value_of(value->id) != value->value) arena_fail("a value is not that of its expression");
}

static uint8_t* some_place(uint32_t size) {
  uint8_t* base = MEMORY + OBJECT_SIZE * random_below(object_count);
  return base + random_below(OBJECT_SIZE - size + 1);
}

static uint32_t some_size(void) { return 1u << random_below(4); }

/* What code tests before it calls the runtime. */
static int is_marked(const uint8_t* place, uint32_t size) {
  uint32_t i;
  for (i = 0; i < size; ++i) {
    uintptr_t address = (uintptr_t)(place + i);
    if ((__plumb_masks[(address >> 3) & (PLUMB_MASKS_SIZE - 1)] >> (address & 7) & 1) != 0 &&
        __plumb_filter[(address >> PLUMB_GRANULE_BITS) & (PLUMB_FILTER_SIZE - 1)] != 0)
      return 1;
  }
  return 0;
}

static void load(void) {
  struct value* into = some_register();
  const uint8_t* place;
  into->size = some_size();
  place = some_place(into->size);
  into->value = 0;
  memcpy(&into->value, place, into->size);
  into->id = __plumb_load(place, into->size);
  if (into->id != 0 && !is_marked(place, into->size)) arena_fail("the filter does not know of a symbolic byte");
  check(into);
}

static void store(void) {
  const struct value* from = some_register();
  uint8_t* place;
  if (from->size == 0) return;
  place = some_place(from->size);
  memcpy(place, &from->value, from->size);
  __plumb_store(place, from->size, from->id);
}

static void add(void) {
  struct value* a = some_register();
  const struct value* b = some_register();
  if (a->size == 0 || a->size != b->size) return;
  a->id = __plumb_binary(PLUMB_OP_ADD, 8 * a->size, 8 * a->size, a->id, a->value, b->id, b->value);
  a->value = arena_low_bits(a->value + b->value, 8 * a->size);
  check(a);
}

/* An address that depends on a value of 8 bytes. */
static plumb_id symbolic_address(const uint8_t* place) {
  const struct value* from = some_register();
  if (from->size != 8 || from->id == 0) return 0;
  return __plumb_binary(PLUMB_OP_ADD, 64, 64, from->id, from->value, 0, (uintptr_t)place - from->value);
}

static void read_anywhere(void) {
  struct value* into = some_register();
  uint32_t size = some_size();
  const uint8_t* place = some_place(size);
  plumb_id address = symbolic_address(place);
  if (address == 0) return;
  into->size = size;
  into->value = 0;
  memcpy(&into->value, place, size);
  into->id = __plumb_read(1, address, place, size, 0, 0, 0);
  check(into);
}

static void write_anywhere(void) {
  const struct value* from = some_register();
  uint8_t* place;
  plumb_id address;
  if (from->size == 0) return;
  place = some_place(from->size);
  address = symbolic_address(place);
  if (address == 0) return;
  __plumb_write(1, address, place, from->size, from->id, from->value, 0, 0);
  memcpy(place, &from->value, from->size);
}

static void copy(void) {
  uint32_t size = random_below(OBJECT_SIZE) + 1;
  uint8_t* to = some_place(size);
  const uint8_t* from = some_place(size);
  memmove(to, from, size);
  __plumb_copied(to, from, size);
}

static void fill(void) {
  const struct value* from = some_register();
  uint32_t size = random_below(OBJECT_SIZE) + 1;
  uint8_t* to = some_place(size);
  memset(to, (int)from->value, size);
  __plumb_filled(to, size, from->size == 1 ? from->id : 0);
}

static void input(void) {
  uint32_t size = random_below(100) + 1;
  __plumb_make_symbolic(some_place(size), size, "input", 1u << random_below(4));
}

static void branch(void) {
  const struct value* a = some_register();
  plumb_id condition;
  if (a->size != 8 || a->id == 0) return;
  condition = __plumb_binary(PLUMB_OP_ULE, 1, 64, a->id, a->value, 0, UINT64_C(1) << 63);
  __plumb_branch(1, a->value > UINT64_C(1) << 63, condition);
}

/* Code without instrumentation writes. */
static void overwrite(void) {
  uint32_t size = random_below(20) + 1;
  memset(some_place(size), (int)random_below(256), size);
}

static void run(void) {
  static void (*const actions[])(void) = {input, load, load,          load,           store,  store,     add,
                                          copy,  fill, read_anywhere, write_anywhere, branch, overwrite, load};
  /* Short runs fit into the smallest arenas, long ones do not. */
  uint32_t is_short = random_below(2);
  uint32_t i;
  object_count = is_short ? 2 : MEMORY_SIZE / OBJECT_SIZE;
  for (i = 0; i < object_count; ++i) __plumb_stack_object(MEMORY + i * OBJECT_SIZE, OBJECT_SIZE);
  for (i = is_short ? 60 : 400; i > 0; --i) {
    actions[random_below(sizeof actions / sizeof actions[0])]();
    arena_follow();
  }
}

static void prepare(uint32_t seed) {
  plumb_reset_run();
  memset(registers, 0, sizeof registers);
  memset(MEMORY, 0, MEMORY_SIZE);
  state = seed;
  arena_begin();
  memset(&plumb_state, 0, sizeof plumb_state);
  plumb_state.stream = arena_stream;
  plumb_state.capacity = STREAM_WORDS - PLUMB_RESERVED_WORDS;
  plumb_state.published = &arena_published;
  plumb_state.next_id = 1;
  plumb_state.max_inputs = 100000;
  plumb_state.max_nodes = 100000;
  plumb_state.max_object = 1024;
  plumb_state.random_low = seed;
  plumb_recording = 1;
}

int main(int count, char** arguments) {
  uint32_t first = count > 1 ? (uint32_t)atoi(arguments[1]) : 1;
  uint32_t seeds = count > 2 ? (uint32_t)atoi(arguments[2]) : 1;
  uint32_t seed;
  if (mmap(MEMORY, MEMORY_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) !=
      MEMORY)
    arena_fail("there is no room for the memory");
  plumb_begin_checks();
  plumb_prepare_objects();
  for (seed = first; seed < first + seeds; ++seed) {
    prepare(seed);
    if (setjmp(way_out) != 0) arena_fail("a run ended early");
    run();
    plumb_recording = 0;
    printf("%u %016llx\n", arena_lost, (unsigned long long)arena_sum);
  }
  return 0;
}
