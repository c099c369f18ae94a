#include "arena_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint32_t arena_stream[STREAM_WORDS];
uint32_t arena_published;
uint32_t arena_lost;
uint64_t arena_sum;

void arena_fail(const char* what) {
  printf("wrong: %s\n", what);
  exit(1);
}

/* --- What the stream says --- */

#define MOST_IDS (1u << 22)
static uint64_t values[MOST_IDS];
static uint32_t id_count;
static uint32_t position;

static uint32_t next(void) {
  if (position >= arena_published) arena_fail("a record breaks off");
  return arena_stream[position++];
}

static uint64_t next_value(void) {
  uint64_t low = next();
  return low | (uint64_t)next() << 32;
}

static void add_to_sum(uint64_t value) { arena_sum = (arena_sum ^ value) * UINT64_C(0x100000001b3); }

uint64_t arena_low_bits(uint64_t value, uint32_t width) {
  return width >= 64 ? value : value & (((uint64_t)1 << width) - 1);
}

static void make(uint64_t value) {
  if (id_count >= MOST_IDS) arena_fail("more expressions than there is room for here");
  values[id_count++] = value;
}

uint64_t arena_value_of(uint32_t id) {
  if (id == 0 || id >= id_count) arena_fail("an id that was not made");
  return values[id];
}

static uint64_t apply(uint32_t op, uint32_t width, uint32_t parameter, uint32_t a, uint32_t b, uint32_t b_width) {
  switch (op) {
    case PLUMB_OP_ADD:
      return arena_low_bits(arena_value_of(a) + arena_value_of(b), width);
    case PLUMB_OP_ULE:
      return arena_value_of(a) <= arena_value_of(b);
    case PLUMB_OP_CONCAT:
      return arena_low_bits(arena_value_of(a) << b_width | arena_value_of(b), width);
    case PLUMB_OP_EXTRACT:
      return arena_low_bits(arena_value_of(a) >> parameter, width);
  }
  arena_fail("an operator that nobody asked for");
}

static uint8_t widths[MOST_IDS];

static void take_operator(uint32_t op, uint32_t width) {
  uint32_t parameter = next();
  uint32_t a = next();
  uint32_t b = next();
  if (next() != 0) arena_fail("an operand too many");
  widths[id_count] = (uint8_t)width;
  make(apply(op, width, parameter, a, b, b != 0 ? widths[b] : 0));
}

static uint8_t object[65536];
static uint64_t object_address;
static uint32_t object_size;

/* Its bytes, each held against its expression. */
static void take_object(void) {
  uint32_t runs;
  uint32_t i;
  object_address = next_value();
  object_size = next();
  if (object_size > sizeof object) arena_fail("an object of another size");
  for (i = 0; i < object_size; i += 4) {
    uint32_t word = next();
    memcpy(object + i, &word, 4);
  }
  for (runs = next(); runs > 0; --runs) {
    uint32_t offset = next();
    uint32_t id = next();
    uint32_t packed = next();
    for (i = 0; i < packed >> 16; ++i) {
      uint32_t total = packed >> 8 & 255;
      uint64_t value = total == 0 ? arena_value_of(id + i) : arena_value_of(id) >> 8 * ((packed & 255) + i);
      if ((uint8_t)value != object[offset + i]) arena_fail("a byte of an object has another value than its expression");
    }
  }
}

static uint64_t object_value(uint64_t address, uint32_t size) {
  uint64_t value = 0;
  if (address < object_address || address + size > object_address + object_size) arena_fail("an access outside");
  memcpy(&value, object + (address - object_address), size);
  return value;
}

static void take_input(void) {
  uint32_t header[4];
  uint32_t i;
  uint32_t j;
  uint8_t* bytes;
  for (i = 0; i < 4; ++i) header[i] = next();
  position += (header[3] + 3) / 4;
  bytes = (uint8_t*)&arena_stream[position];
  position += (header[1] + 3) / 4;
  for (i = 0; i < header[1]; i += header[2]) {
    uint64_t value = 0;
    for (j = 0; j < header[2]; ++j) value |= (uint64_t)bytes[i + j] << 8 * j;
    widths[id_count] = (uint8_t)(8 * header[2]);
    make(value);
  }
}

static void take_access(int is_write, uint32_t size) {
  uint32_t id = next();
  uint64_t address = next_value();
  uint32_t stored_id = is_write ? next() : 0;
  uint64_t stored = is_write ? next_value() : 0;
  uint32_t i;
  if (arena_value_of(id) != address) arena_fail("an address has another value than its expression");
  if (stored_id != 0 && arena_value_of(stored_id) != arena_low_bits(stored, 8 * size))
    arena_fail("a stored value is another one");
  take_object();
  if (!is_write) {
    widths[id_count] = (uint8_t)(8 * size);
    make(object_value(address, size));
    return;
  }
  object_value(address, size);
  memcpy(object + (address - object_address), &stored, size);
  for (i = 0; i < object_size; ++i) {
    widths[id_count] = 8;
    make(object[i]);
  }
}

static void take_pin(uint32_t reason, uint32_t width) {
  uint32_t id;
  next();
  id = next();
  if (arena_value_of(id) != arena_low_bits(next_value(), width)) arena_fail("a pinned value is another one");
  arena_lost += reason == PLUMB_PIN_FULL || reason == PLUMB_PIN_ADDRESS;
}

static void take_range(uint32_t width) {
  uint32_t id;
  position += 3;
  id = next();
  if (id != 0 && arena_value_of(id) != next_value()) arena_fail("a checked value is another one");
  if (id == 0) next_value();
  (void)width;
  next_value();
  id = next();
  if (id != 0) arena_value_of(id);
  next_value();
}

void arena_follow(void) {
  while (position < arena_published) {
    uint32_t head = next();
    uint32_t code = head >> 8 & 255;
    uint32_t width = head >> 16;
    uint32_t first = id_count;
    switch (head & 255) {
      case PLUMB_CONSTANT:
        widths[id_count] = (uint8_t)width;
        make(next_value());
        break;
      case PLUMB_OPERATOR:
        take_operator(code, width);
        break;
      case PLUMB_INPUT:
        take_input();
        break;
      case PLUMB_READ:
      case PLUMB_WRITE:
        take_access((head & 255) == PLUMB_WRITE, width / 8);
        break;
      case PLUMB_BRANCH: {
        uint32_t edge;
        next();
        edge = next();
        if (arena_value_of(next()) != (edge == 0)) arena_fail("a branch went the other way");
        break;
      }
      case PLUMB_PIN:
        take_pin(code, width);
        break;
      case PLUMB_LOST:
        next();
        arena_lost += code == PLUMB_PIN_FULL;
        break;
      case PLUMB_RANGE:
        take_range(width);
        break;
      default:
        arena_fail("a record of another kind");
    }
    if ((head & 255) == PLUMB_CONSTANT) continue;
    add_to_sum(head);
    for (; first < id_count; ++first) add_to_sum(values[first]);
  }
}

void arena_begin(void) {
  arena_published = 0;
  arena_lost = 0;
  arena_sum = 0;
  position = 0;
  id_count = 1;
}
