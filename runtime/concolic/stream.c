/* Writing records: room, bytes, objects, and the records that end a run. */
#include "shadow.h"

PLUMB_THREAD_LOCAL uint32_t plumb_recording;
PLUMB_THREAD_LOCAL uint32_t plumb_is_cut;
struct plumb_state plumb_state;

void plumb_make_room(uint32_t words) {
  if (!plumb_transport.make_room(words)) plumb_end_run(PLUMB_END_STREAM);
}

void plumb_end_run(uint32_t code) {
  plumb_state.position = plumb_state.complete;
  plumb_state.stream[plumb_state.position++] = plumb_head(PLUMB_END, code, 0);
  plumb_publish();
  plumb_transport_end(code);
}

void plumb_record_error(uint32_t error, uint32_t site) {
  uint32_t* words;
  if (plumb_state.has_error) return;
  plumb_state.has_error = 1;
  plumb_state.position = plumb_state.complete;
  words = plumb_state.stream + plumb_state.position;
  words[0] = plumb_head(PLUMB_ERROR, error, 0);
  words[1] = site;
  plumb_state.position += 2;
  plumb_publish();
}

void plumb_record_lost(uint32_t reason, uint32_t subject) {
  uint32_t* words = plumb_words(2);
  if (reason == PLUMB_PIN_FULL) ++plumb_state.left_out;
  words[0] = plumb_head(PLUMB_LOST, reason, 0);
  words[1] = subject;
  plumb_publish();
}

void plumb_record_pin(uint32_t reason, uint32_t subject, uint32_t width, plumb_id id, uint64_t value) {
  uint32_t* words = plumb_words(5);
  if (reason == PLUMB_PIN_FULL) ++plumb_state.left_out;
  words[0] = plumb_head(PLUMB_PIN, reason, width);
  words[1] = subject;
  words[2] = id;
  plumb_put_value(words + 3, value);
  plumb_publish();
}

void plumb_put_bytes(const uint8_t* bytes, uint32_t size) {
  uint32_t count = size / 4 + (size % 4 != 0);
  uint32_t* words = plumb_words(count);
  uint32_t i;
  for (i = 0; i < count; ++i) words[i] = 0;
  for (i = 0; i < size; ++i) words[i / 4] |= (uint32_t)bytes[i] << (8 * (i % 4));
}

/* A run of an object that is being put together. Single bytes with rising ids are one run, marked by total 0. */
struct run {
  uint32_t offset;
  plumb_id id;
  uint32_t first;
  uint32_t total;
  uint32_t length;
};

#define LONGEST_RUN 0xffffu

static int extends(const struct run* run, uint32_t offset, struct plumb_shadow_byte byte) {
  if (run->offset + run->length != offset || run->length == 0 || run->length == LONGEST_RUN) return 0;
  if (run->total != byte.total) return 0;
  return byte.total == 1 ? byte.id == run->id + run->length
                         : byte.id == run->id && byte.index == run->first + run->length;
}

static void put_run(const struct run* run) {
  uint32_t total = run->total == 1 && run->length > 1 ? 0 : run->total;
  uint32_t* words = plumb_words(3);
  words[0] = run->offset;
  words[1] = run->id;
  words[2] = run->first | total << 8 | run->length << 16;
}

static uint32_t put_runs(const uint8_t* base, uint32_t size) {
  struct plumb_shadow_byte bytes[PLUMB_GRANULE];
  struct run run = {0, 0, 0, 0, 0};
  uint32_t count = 0;
  uint32_t begin = 0;
  while (begin < size) {
    uint32_t length = PLUMB_GRANULE - plumb_granule_offset(base + begin);
    uint64_t symbolic;
    if (length > size - begin) length = size - begin;
    for (symbolic = plumb_gather(base + begin, length, bytes); symbolic != 0; symbolic &= symbolic - 1) {
      uint32_t i = (uint32_t)__builtin_ctzll(symbolic);
      if (extends(&run, begin + i, bytes[i])) {
        ++run.length;
        continue;
      }
      if (run.length != 0) put_run(&run);
      run.offset = begin + i;
      run.id = bytes[i].id;
      run.first = bytes[i].index;
      run.total = bytes[i].total;
      run.length = 1;
      ++count;
    }
    begin += length;
  }
  if (run.length != 0) put_run(&run);
  return count;
}

void plumb_put_object(const uint8_t* base, uint32_t size) {
  uint32_t* words = plumb_words(3);
  uint32_t count_offset; /* in the record, which a transport may move when it makes room */
  uint32_t count;
  plumb_put_value(words, (uintptr_t)base);
  words[2] = size;
  plumb_put_bytes(base, size);
  *plumb_words(1) = 0;
  count_offset = plumb_state.position - 1 - plumb_state.complete;
  count = put_runs(base, size);
  plumb_state.stream[plumb_state.complete + count_offset] = count;
}

void plumb_put_known_object(const uint8_t* base, uint32_t constant) {
  uint32_t* words = plumb_words(3);
  plumb_put_value(words, (uintptr_t)base);
  words[2] = PLUMB_KNOWN_OBJECT | constant;
}
