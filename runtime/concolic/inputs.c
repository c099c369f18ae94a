/*
 * Inputs: given bytes first, then random ones (or zeros). The bytes of input k depend on the seed and k alone, so that
 * a run can be repeated whatever was asked for before.
 */
#include "shadow.h"

/* Splitmix64: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014. */
static uint64_t mix(uint64_t value) {
  value = (value ^ value >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  value = (value ^ value >> 27) * UINT64_C(0x94d049bb133111eb);
  return value ^ value >> 31;
}

static void random_bytes(uint8_t* bytes, size_t size, uint32_t input) {
  const uint64_t step = UINT64_C(0x9e3779b97f4a7c15);
  uint64_t seed = (uint64_t)plumb_state.random_high << 32 | plumb_state.random_low;
  uint64_t state = mix(seed ^ mix(((uint64_t)input + 1) * step));
  uint64_t word = 0;
  size_t i;
  for (i = 0; i < size; ++i) {
    if (i % 8 == 0) word = seed != 0 ? mix(state += step) : 0;
    bytes[i] = (uint8_t)word;
    word >>= 8;
  }
}

static uint32_t given_word(void) {
  const uint8_t* bytes = plumb_state.given + plumb_state.given_position;
  uint32_t word = 0;
  uint8_t* to = (uint8_t*)&word;
  uint32_t i;
  for (i = 0; i < sizeof word; ++i) to[i] = bytes[i];
  return word;
}

/* Tests have the bytes of a little-endian machine, element by element: they mean the same on every machine. Both
   ways. */
static void turn_around(uint8_t* bytes, size_t size, uint32_t element) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  size_t begin;
  uint32_t i;
  for (begin = 0; begin < size; begin += element)
    for (i = 0; i < element / 2; ++i) {
      uint8_t byte = bytes[begin + i];
      bytes[begin + i] = bytes[begin + element - 1 - i];
      bytes[begin + element - 1 - i] = byte;
    }
#else
  (void)bytes, (void)size, (void)element;
#endif
}

/* The bytes of the next input, as a test has them. */
static void fill_input(uint8_t* bytes, size_t size) {
  uint32_t index = plumb_state.input_count++;
  uint32_t rest = plumb_state.given_size - plumb_state.given_position;
  random_bytes(bytes, size, index);
  if (rest >= sizeof(uint32_t)) {
    uint32_t given = given_word();
    uint32_t i;
    rest -= (uint32_t)sizeof(uint32_t);
    plumb_state.given_position += (uint32_t)sizeof(uint32_t);
    if (given > rest) given = rest;
    for (i = 0; i < given && i < size; ++i) bytes[i] = plumb_state.given[plumb_state.given_position + i];
    given += (4 - given % 4) % 4;
    plumb_state.given_position += given < rest ? given : rest;
  }
}

/* Gives the id of the first element. */
static plumb_id record_input(const uint8_t* bytes, uint32_t size, const char* name, uint32_t element) {
  const uint32_t longest_name = 255;
  uint32_t length = 0;
  uint32_t* words = plumb_words(5);
  while (name != 0 && length < longest_name && name[length] != 0) ++length;
  words[0] = plumb_head(PLUMB_INPUT, 0, 0);
  words[1] = plumb_state.input_count - 1;
  words[2] = size;
  words[3] = element;
  words[4] = length;
  plumb_put_bytes((const uint8_t*)name, length);
  plumb_put_bytes(bytes, size);
  plumb_publish();
  return plumb_make_ids(size / element);
}

/* Does not return if the program asks for more than it may, or for an input that no stream could carry. */
static void check_request(size_t size) {
  if (plumb_state.input_count >= plumb_state.max_inputs) plumb_end_run(PLUMB_END_INPUTS);
  if (size > (size_t)plumb_state.capacity * sizeof(uint32_t)) plumb_end_run(PLUMB_END_STREAM);
}

uint64_t __plumb_nondet(uint32_t size, const char* name) {
  union {
    uint8_t bytes[8];
    uint8_t one;
    uint16_t two;
    uint32_t four;
    uint64_t eight;
  } value;
  value.eight = 0;
  __plumb_results[0] = 0;
  if (plumb_enter()) {
    check_request(size);
    fill_input(value.bytes, size);
    __plumb_results[0] = record_input(value.bytes, size, name, size);
    turn_around(value.bytes, size, size);
    plumb_leave();
  } else if (plumb_is_cut) {
    plumb_end_run(PLUMB_END_DEPTH);
  }
  return size == 1 ? value.one : size == 2 ? value.two : size == 4 ? value.four : value.eight;
}

void __plumb_make_symbolic(void* memory, size_t size, const char* name, uint32_t element) {
  uint8_t* bytes = memory;
  size_t i;
  if (size == 0) return;
  if (plumb_enter()) {
    plumb_id first;
    check_request(size);
    if (element == 0 || element > 8 || size % element != 0) element = 1;
    fill_input(bytes, size);
    first = record_input(bytes, (uint32_t)size, name, element);
    turn_around(bytes, size, element);
    plumb_set_shadow(bytes, size, first, 1, element, bytes);
    plumb_leave();
  } else {
    if (plumb_is_cut) plumb_end_run(PLUMB_END_DEPTH);
    for (i = 0; i < size; ++i) bytes[i] = 0;
  }
}
