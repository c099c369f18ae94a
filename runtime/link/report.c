/* What the target tells of a run. Words and edges are packed into frames that go when they are full. */
#include "frames.h"

#define LONGEST_VARINT_32 5u

/* Room in a frame of the kind for one more number. */
static int make_room(struct plumb_link* link, uint32_t kind) {
  if (link->out_kind != 0 && (link->out_kind != kind || plumb_frame_room(link) < LONGEST_VARINT_32)) {
    int state = plumb_frame_send(link);
    if (state != PLUMB_LINK_OK) return state;
  }
  if (link->out_kind == 0) {
    plumb_frame_begin(link, kind);
    plumb_frame_varint(link, link->run);
  }
  return PLUMB_LINK_OK;
}

static int flush(struct plumb_link* link) { return link->out_kind == 0 ? PLUMB_LINK_OK : plumb_frame_send(link); }

int plumb_link_events(struct plumb_link* link, const uint32_t* words, uint32_t count) {
  uint32_t i;
  for (i = 0; i < count; ++i) {
    int state = make_room(link, PLUMB_WIRE_EVENTS);
    if (state != PLUMB_LINK_OK) return state;
    plumb_frame_varint(link, words[i]);
  }
  link->words += count;
  return PLUMB_LINK_OK;
}

int plumb_link_edge(struct plumb_link* link, uint32_t edge) {
  int state = make_room(link, PLUMB_WIRE_COVERAGE);
  if (state != PLUMB_LINK_OK) return state;
  plumb_frame_varint(link, edge - link->last_edge - 1);
  link->last_edge = edge;
  ++link->edges;
  return PLUMB_LINK_OK;
}

int plumb_link_end(struct plumb_link* link, const struct plumb_ending* ending) {
  int state = flush(link);
  if (state != PLUMB_LINK_OK) return state;
  plumb_frame_begin(link, PLUMB_WIRE_END);
  plumb_frame_varint(link, link->run);
  plumb_frame_number(link, ending->how, 1);
  plumb_frame_varint(link, ending->code);
  plumb_frame_varint(link, ending->fault_address);
  plumb_frame_varint(link, link->words);
  plumb_frame_varint(link, link->edges);
  plumb_frame_varint(link, ending->microseconds);
  plumb_frame_varint(link, ending->left_out);
  return plumb_frame_send(link);
}

int plumb_link_note(struct plumb_link* link, uint32_t level, const char* text) {
  uint32_t length = 0;
  int state = flush(link);
  if (state != PLUMB_LINK_OK) return state;
  while (length < PLUMB_WIRE_NOTE && text[length] != 0) ++length;
  plumb_frame_begin(link, PLUMB_WIRE_NOTICE);
  plumb_frame_number(link, level, 1);
  plumb_frame_bytes(link, (const uint8_t*)text, length);
  return plumb_frame_send(link);
}
