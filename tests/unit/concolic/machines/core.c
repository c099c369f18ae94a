/*
 * Works the core of the runtime as instrumented code does: symbolic memory of mixed sizes, copies, accesses at symbolic
 * addresses, a region. What a load must be is what the memory holds; that it is so is a branch of the trace, so that
 * whoever reads the stream finds out. Prints the words of the stream, one a line.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/checks/checks.h"
#include "runtime/concolic/shadow.h"
#include "runtime/concolic/state.h"

#define SIZE 64u
#define WORDS (1u << 20)

enum { OP_EQ = 20, OP_ULT = 21, OP_ZERO_EXTEND = 35 };

/* What an instrumented module defines. */
static uint8_t memory[SIZE];
static uint8_t slot[4];
const struct plumb_global __plumb_globals[] = {{memory, SIZE}, {slot, sizeof slot}};
const uint32_t __plumb_global_count = 2;
const struct plumb_padded_global __plumb_padded_globals[1] = {{0}};
const uint32_t __plumb_padded_global_count = 0;

static uint32_t stream[WORDS];
static uint32_t published;

static void print_stream(void) {
  uint32_t i;
  for (i = 0; i < published; ++i) printf("%lu\n", (unsigned long)stream[i]);
}

static int make_room(uint32_t words) {
  (void)words;
  return 0;
}
static void end_run(uint32_t code) {
  (void)code;
  exit(3);
}
static int is_abort_handled(void) { return 0; }
const struct plumb_transport plumb_transport = {make_room, end_run, end_run, is_abort_handled};

static uint64_t state = 1;
static uint32_t below(uint32_t limit) {
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(state >> 33) % limit;
}

static uint64_t number_at(const uint8_t* at, uint32_t size) {
  uint16_t two;
  uint32_t four;
  uint64_t eight;
  switch (size) {
    case 1:
      return *at;
    case 2:
      memcpy(&two, at, 2);
      return two;
    case 4:
      memcpy(&four, at, 4);
      return four;
    default:
      memcpy(&eight, at, 8);
      return eight;
  }
}

static void put_number(uint8_t* at, uint32_t size, uint64_t value) {
  uint16_t two = (uint16_t)value;
  uint32_t four = (uint32_t)value;
  if (size == 1) *at = (uint8_t)value;
  if (size == 2) memcpy(at, &two, 2);
  if (size == 4) memcpy(at, &four, 4);
  if (size == 8) memcpy(at, &value, 8);
}

static void expect(plumb_id id, uint32_t size, uint64_t value) {
  if (id != 0) __plumb_branch(0, 0, __plumb_binary(OP_EQ, 1, 8 * size, id, 0, 0, value));
}

static void check_load(void) {
  uint32_t size = 1u << below(4);
  uint8_t* at = memory + below(SIZE - size + 1);
  expect(__plumb_load(at, size), size, number_at(at, size));
}

static void store_input(void) {
  uint32_t size = 1u << below(4);
  uint8_t* at = memory + below(SIZE - size + 1);
  uint64_t value = __plumb_nondet(size, "x");
  plumb_id id = __plumb_results[0];
  expect(id, size, value);
  put_number(at, size, value);
  __plumb_store(at, size, id);
}

static void fill_array(void) {
  uint32_t element = 1u << below(4);
  uint32_t size = element * (1 + below(3));
  __plumb_make_symbolic(memory + below(SIZE - size + 1), size, "array", element);
}

static void copy_part(void) {
  uint32_t size = 1 + below(12);
  uint8_t* to = memory + below(SIZE - size + 1);
  const uint8_t* from = memory + below(SIZE - size + 1);
  memmove(to, from, size);
  __plumb_copied(to, from, size);
}

static void store_concrete(void) {
  uint32_t size = 1u << below(4);
  uint8_t* at = memory + below(SIZE - size + 1);
  put_number(at, size, (uint64_t)below(1u << 30) << 32 | below(1u << 30));
  __plumb_store(at, size, 0);
}

/* memory + (input & 31) */
static uint8_t* symbolic_address(plumb_id* id) {
  const uint32_t width = 8 * (uint32_t)sizeof(void*);
  uint64_t index = __plumb_nondet(1, "index");
  plumb_id low = __plumb_binary(PLUMB_OP_AND, 8, 8, __plumb_results[0], index, 0, 31);
  plumb_id wide = __plumb_unary(OP_ZERO_EXTEND, width, 0, low);
  *id = __plumb_binary(PLUMB_OP_ADD, width, width, wide, index & 31, 0, (uintptr_t)memory);
  return memory + (index & 31);
}

static void read_somewhere(void) {
  uint32_t size = 1u << below(4);
  plumb_id address;
  const uint8_t* at = symbolic_address(&address);
  expect(__plumb_read(0, address, at, size, memory, SIZE, 0), size, number_at(at, size));
}

static void write_somewhere(void) {
  uint32_t size = 1u << below(4);
  plumb_id address;
  uint8_t* at = symbolic_address(&address);
  uint64_t value = __plumb_nondet(size, "value");
  __plumb_write(0, address, at, size, __plumb_results[0], value, memory, SIZE);
  put_number(at, size, value);
}

/* The region of the sample program: if (x < 10) *p = x + 1. */
static void visit_region(void) {
  static const struct plumb_slot slots[] = {{4, 1, 1}};
  static const struct plumb_cell cells[] = {{0, 0, 4}};
  static const struct plumb_mark marks[] = {{PLUMB_IN, 0, 1}, {PLUMB_IN, 1, 1}};
  static const struct plumb_region region = {0, 2, 1, 1, 1, slots, cells, 2, marks};
  const void* addresses[1];
  plumb_id slot_ids[1] = {0};
  plumb_id ids[2];
  uint64_t values[2];
  uint32_t i;
  uint32_t x = (uint32_t)__plumb_nondet(4, "x");
  plumb_id input = __plumb_results[0];
  plumb_id first;
  addresses[0] = slot;
  ids[0] = input;
  values[0] = x;
  ids[1] = __plumb_binary(OP_ULT, 1, 32, input, x, 0, 10);
  values[1] = x < 10;
  for (i = 0; i < sizeof slot; ++i) slot[i] = (uint8_t)(i + 1);
  __plumb_cleared(slot, sizeof slot);
  if (__plumb_region_enter(&region, ids, values, addresses, slot_ids) != PLUMB_PLAIN) exit(4);
  if (x < 10) put_number(slot, 4, x + 1);
  if (x >= 20) exit(5); /* inputs are given so that it is not */
  first = __plumb_region_exit(&region, 0);
  expect(first, 4, x < 10 ? x : 5);
  for (i = 0; i < sizeof slot; ++i) expect(__plumb_load(slot + i, 1), 1, slot[i]);
  expect(__plumb_load(slot + 1, 2), 2, number_at(slot + 1, 2));
  expect(__plumb_load(slot, 4), 4, number_at(slot, 4));
}

int main(void) {
  static void (*const steps[])(void) = {check_load, check_load,     check_load,     store_input,    fill_array,
                                        copy_part,  store_concrete, read_somewhere, write_somewhere};
  /* The first input: 7 for the region, as a test has it. */
  static const uint8_t seven[] = {7, 0, 0, 0};
  static uint8_t given[8];
  uint32_t size = 4;
  int i;
  memcpy(given, &size, 4);
  memcpy(given + 4, seven, 4);
  plumb_begin_checks();
  plumb_prepare_objects();
  plumb_state.stream = stream;
  plumb_state.capacity = WORDS - PLUMB_RESERVED_WORDS;
  plumb_state.published = &published;
  plumb_state.next_id = 1;
  plumb_state.max_inputs = 1000;
  plumb_state.max_nodes = 100000;
  plumb_state.max_object = 1024;
  plumb_state.given = given;
  plumb_state.given_size = sizeof given;
  plumb_state.random_low = 12345;
  plumb_recording = 1;
  visit_region();
  for (i = 0; i < 400; ++i) steps[below(sizeof steps / sizeof steps[0])]();
  plumb_recording = 0;
  print_stream();
  return 0;
}
