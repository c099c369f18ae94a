/*
 * Orders of the server: what RUN says goes into the shared segment, what the run leaves there goes back. The program
 * may have written anything anywhere in the segment: what was ours is written anew before each run, and of what it has
 * written only the count of words is believed, as far as the stream goes.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "target.h"

#define FIRST_INPUTS (1u << 20)
#define MOST_INPUTS (1u << 30)

static uint8_t* take_memory(uint32_t size) {
  void* memory = mmap(0, (size_t)size + 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory != MAP_FAILED ? memory : 0;
}

static int remake_segment(struct work* work, uint32_t inputs) {
  stop_program(&work->program);
  return make_segment(&work->segment, work->identity.edges, work->identity.regions, work->options->stream_words,
                      inputs);
}

int prepare_work(struct work* work) {
  work->last_coverage = take_memory(work->identity.edges);
  work->modes = take_memory(work->identity.regions);
  if (work->last_coverage != 0 && work->modes != 0 && remake_segment(work, FIRST_INPUTS)) return 1;
  say("there is not enough memory for a trace of %u words; try a smaller --stream-words", work->options->stream_words);
  return 0;
}

/* --- What the order brings --- */

static uint32_t varint_size(uint32_t value) {
  uint32_t size = 1;
  for (; value >= 128; value >>= 7) ++size;
  return size;
}

static int read_modes(struct work* work, uint32_t* left) {
  uint32_t regions = work->identity.regions;
  uint32_t i;
  uint8_t byte = 0;
  if ((regions + 7u) / 8u > *left) return PLUMB_LINK_BROKEN;
  for (i = 0; i < regions; ++i) {
    if (i % 8 == 0) {
      int state = plumb_link_data(&work->link, &byte, 1);
      if (state != PLUMB_LINK_OK) return state;
      --*left;
    }
    work->modes[i] = byte >> i % 8 & 1u;
  }
  return PLUMB_LINK_OK;
}

/* The segment has room for them: an input takes at most four times as much there. */
static int read_inputs(struct work* work, uint32_t left, uint32_t* used) {
  uint8_t* to = work->segment.memory + work->segment.layout.inputs_offset;
  *used = 0;
  while (left != 0) {
    uint32_t size = 0;
    int state = plumb_link_data_varint(&work->link, &size);
    if (state != PLUMB_LINK_OK) return state;
    if (varint_size(size) > left || size > left - varint_size(size)) return PLUMB_LINK_BROKEN;
    left -= varint_size(size) + size;
    memcpy(to + *used, &size, sizeof size);
    *used += (uint32_t)sizeof size;
    if (size == 0) continue;
    state = plumb_link_data(&work->link, to + *used, size);
    if (state != PLUMB_LINK_OK) return state;
    *used += (size + 3u) / 4u * 4u;
  }
  return PLUMB_LINK_OK;
}

static void write_header(struct work* work, const struct plumb_order* order, uint32_t inputs_size) {
  struct plumb_shared header = work->segment.layout;
  uint8_t* memory = work->segment.memory;
  memset(memory + header.coverage_offset, 0, work->identity.edges);
  memcpy(memory + header.modes_offset, work->modes, work->identity.regions);
  header.inputs_size = inputs_size;
  header.random_low = (uint32_t)order->random;
  header.random_high = (uint32_t)(order->random >> 32);
  header.max_inputs = order->max_inputs;
  header.max_nodes = order->max_nodes;
  header.max_object = order->max_object;
  header.processes = order->processes;
  header.run = ++work->runs;
  memcpy(memory, &header, sizeof header);
  __sync_synchronize();
}

/* --- What the run leaves --- */

static int send_events(struct work* work, const struct plumb_shared* header) {
  const uint32_t* stream = (const uint32_t*)(void*)(work->segment.memory + work->segment.layout.stream_offset);
  return header->stream_words != 0 ? plumb_link_events(&work->link, stream, header->stream_words) : PLUMB_LINK_OK;
}

static int send_coverage(struct work* work) {
  const uint8_t* taken = work->segment.memory + work->segment.layout.coverage_offset;
  uint32_t i;
  for (i = 0; i < work->identity.edges; ++i) {
    uint8_t now = taken[i] != 0;
    if (now == work->last_coverage[i]) continue;
    work->last_coverage[i] = now;
    if (plumb_link_edge(&work->link, i) != PLUMB_LINK_OK) return PLUMB_LINK_BROKEN;
  }
  return PLUMB_LINK_OK;
}

static int report(struct work* work, struct plumb_ending* ending) {
  struct plumb_shared header;
  int state = PLUMB_LINK_OK;
  __sync_synchronize();
  memcpy(&header, work->segment.memory, sizeof header);
  if (ending->how == PLUMB_WIRE_CANNOT_START) {
    header.stream_words = 0;
    state = plumb_link_note(&work->link, 2, "the program does not start; see what plumb-target says on the board");
  } else if (header.magic != PLUMB_MAGIC || header.stream_words > work->segment.layout.stream_capacity) {
    header.stream_words = 0;
    ending->how = PLUMB_WIRE_LOST;
    ending->code = 0;
  }
  ending->fault_address = header.fault_address_low | (uint64_t)header.fault_address_high << 32;
  if (ending->how >= PLUMB_WIRE_LOST) ending->fault_address = 0;
  if (state == PLUMB_LINK_OK) state = send_events(work, &header);
  if (state == PLUMB_LINK_OK) state = send_coverage(work);
  return state == PLUMB_LINK_OK ? plumb_link_end(&work->link, ending) : state;
}

/* --- An order --- */

static int make_room(struct work* work, const struct plumb_order* order) {
  uint32_t room = work->segment.layout.inputs_capacity;
  if (order->data > MOST_INPUTS / 4u) return 0;
  while (room < 4u * order->data) room *= 2;
  return room == work->segment.layout.inputs_capacity || remake_segment(work, room);
}

/* It was lost, with whatever the run has made of it. */
static void renew_scratch(struct work* work) {
  stop_program(&work->program);
  work->program.directory = make_scratch(work->options->scratch);
}

static int carry_out(struct work* work, const struct plumb_order* order) {
  struct plumb_ending ending;
  uint32_t left = order->data;
  uint32_t inputs_size = 0;
  int state = PLUMB_LINK_OK;
  memset(&ending, 0, sizeof ending);
  if (!make_room(work, order)) {
    ending.how = PLUMB_WIRE_LOST; /* the program has no part in it: other runs may fit */
    state = plumb_link_note(&work->link, 2, "the inputs of a run do not fit into the memory of this target");
    if (state == PLUMB_LINK_OK) state = plumb_link_data(&work->link, 0, order->data);
    return state == PLUMB_LINK_OK ? plumb_link_end(&work->link, &ending) : state;
  }
  if (order->has_modes) state = read_modes(work, &left);
  if (state == PLUMB_LINK_OK) state = read_inputs(work, left, &inputs_size);
  if (state != PLUMB_LINK_OK) return state;
  write_header(work, order, inputs_size);
  run_program(&work->program, work->segment.descriptor, order, &ending);
  if (is_stopped) return PLUMB_LINK_BROKEN;
  if (ending.how == PLUMB_WIRE_CANNOT_START)
    say("'%s' does not start; run it by hand to see why", work->options->program);
  if (!empty_scratch()) renew_scratch(work);
  if (work->program.directory == 0) is_stopped = 1;
  return report(work, &ending);
}

int work_session(struct work* work, const struct plumb_channel* channel) {
  struct plumb_order order;
  int state;
  work->link.channel = channel;
  memset(work->last_coverage, 0, work->identity.edges);
  memset(work->modes, 0, work->identity.regions);
  state = plumb_link_open(&work->link);
  if (state != PLUMB_LINK_OK) return state;
  say("session %u with %s", work->link.session, name_of_channel(work->options));
  while ((state = plumb_link_next(&work->link, &order)) == PLUMB_LINK_OK) {
    state = carry_out(work, &order);
    if (state != PLUMB_LINK_OK) break;
  }
  return state;
}
