/*
 * Frames: writing them, and finding them in what comes. Before the handshake the receiver skips what is no frame, one
 * byte at a time, so that nothing in front of a frame can hide it; in a session the first byte that does not fit ends
 * it.
 */
#include "frames.h"

#define PLACE_OF_KIND 3
#define PLACE_OF_LENGTH 4
#define PLACE_OF_NUMBER 6
#define PLACE_OF_CRC 8

int plumb_link_break(struct plumb_link* link, const char* trouble) {
  link->trouble = trouble;
  return PLUMB_LINK_BROKEN;
}

/* --- Writing --- */

static void put_number(uint8_t* to, uint32_t value, uint32_t bytes) {
  for (; bytes != 0; --bytes, value >>= 8) *to++ = (uint8_t)value;
}

void plumb_frame_begin(struct plumb_link* link, uint32_t kind) {
  link->out_kind = kind;
  link->out_count = 0;
}

void plumb_frame_bytes(struct plumb_link* link, const uint8_t* bytes, uint32_t size) {
  uint8_t* to = link->out + PLUMB_WIRE_HEAD + link->out_count;
  uint32_t i;
  for (i = 0; i < size; ++i) to[i] = bytes[i];
  link->out_count += size;
}

void plumb_frame_number(struct plumb_link* link, uint32_t value, uint32_t bytes) {
  put_number(link->out + PLUMB_WIRE_HEAD + link->out_count, value, bytes);
  link->out_count += bytes;
}

void plumb_frame_varint(struct plumb_link* link, uint64_t value) {
  uint8_t* to = link->out + PLUMB_WIRE_HEAD + link->out_count;
  uint32_t size = 0;
  for (; value > 127; value >>= 7) to[size++] = (uint8_t)(value | 128);
  to[size++] = (uint8_t)value;
  link->out_count += size;
}

static uint32_t sum_of(const uint8_t* frame, uint32_t length) {
  uint32_t sum = plumb_crc32(0, frame + 2, PLACE_OF_CRC - 2);
  return plumb_crc32(sum, frame + PLUMB_WIRE_HEAD, length);
}

int plumb_frame_send(struct plumb_link* link) {
  uint8_t* frame = link->out;
  uint32_t size = PLUMB_WIRE_HEAD + link->out_count;
  frame[0] = PLUMB_WIRE_SYNC_0;
  frame[1] = PLUMB_WIRE_SYNC_1;
  frame[2] = PLUMB_WIRE_VERSION;
  frame[PLACE_OF_KIND] = (uint8_t)link->out_kind;
  put_number(frame + PLACE_OF_LENGTH, link->out_count, 2);
  put_number(frame + PLACE_OF_NUMBER, link->out_number, 2);
  put_number(frame + PLACE_OF_CRC, sum_of(frame, link->out_count), 4);
  link->out_number = (link->out_number + 1) & 0xffffu;
  link->out_kind = 0;
  if (link->channel->write(link->channel->context, frame, size) < 0)
    return plumb_link_break(link, "the channel takes no bytes");
  link->bytes_out += size;
  return PLUMB_LINK_OK;
}

/* --- Reading --- */

static uint32_t number_at(const uint8_t* from, uint32_t bytes) {
  uint32_t value = 0;
  while (bytes != 0) value = value << 8 | from[--bytes];
  return value;
}

uint32_t plumb_frame_take(struct plumb_link* link, uint32_t bytes) {
  link->in_read += bytes;
  return number_at(link->in + link->in_read - bytes, bytes);
}

const uint8_t* plumb_frame_take_bytes(struct plumb_link* link, uint32_t bytes) {
  link->in_read += bytes;
  return link->in + link->in_read - bytes;
}

int plumb_frame_take_varint(struct plumb_link* link, uint32_t bits, uint64_t* value) {
  uint64_t result = 0;
  uint32_t shift;
  for (shift = 0; shift < bits; shift += 7) {
    uint32_t byte;
    if (link->in_read == link->in_frame) return 0;
    byte = link->in[link->in_read++];
    if (bits - shift < 7 && (byte & 127) >> (bits - shift) != 0) return 0;
    result |= (uint64_t)(byte & 127) << shift;
    if (byte < 128) {
      *value = result;
      return byte != 0 || shift == 0;
    }
  }
  return 0;
}

static void drop(struct plumb_link* link, uint32_t bytes) {
  uint32_t i;
  link->in_count -= bytes;
  for (i = 0; i < link->in_count; ++i) link->in[i] = link->in[i + bytes];
}

/* Until there are so many bytes of a frame, or the time is over (0). Without a clock the waits are counted. */
static int fill(struct plumb_link* link, uint32_t bytes, uint32_t* patience) {
  while (link->in_count < bytes) {
    uint32_t wait = *patience < PLUMB_LINK_STEP ? *patience : PLUMB_LINK_STEP;
    uint32_t room = bytes - link->in_count;
    int32_t got = link->channel->read(link->channel->context, link->in + link->in_count, room, wait);
    if (got < 0 || (uint32_t)got > room) return PLUMB_LINK_BROKEN;
    if (got == 0) {
      *patience -= wait;
      if (*patience == 0) return 0;
    }
    link->in_count += (uint32_t)got;
    link->bytes_in += (uint32_t)got;
  }
  return 1;
}

static int is_sound(const struct plumb_link* link) {
  uint32_t length = number_at(link->in + PLACE_OF_LENGTH, 2);
  return number_at(link->in + PLACE_OF_CRC, 4) == sum_of(link->in, length);
}

/* Of the frame at the start of `in`. */
static uint32_t open_frame(struct plumb_link* link) {
  link->in_frame = PLUMB_WIRE_HEAD + number_at(link->in + PLACE_OF_LENGTH, 2);
  link->in_read = PLUMB_WIRE_HEAD;
  return link->in[PLACE_OF_KIND];
}

static int farewell(struct plumb_link* link) {
  uint32_t size = plumb_frame_left(link);
  if (size == 0 || size > 1 + PLUMB_WIRE_FAREWELL) return plumb_link_break(link, "BYE without a reason or too long");
  link->reason = plumb_frame_take(link, 1);
  link->farewell_size = size - 1;
  link->farewell = plumb_frame_take_bytes(link, size - 1);
  link->trouble = "the server said BYE";
  if (link->reason == PLUMB_WIRE_OVER) return PLUMB_LINK_OVER;
  if (link->reason == PLUMB_WIRE_REFUSED || link->reason == PLUMB_WIRE_OTHER_VERSION) return PLUMB_LINK_REFUSED;
  return PLUMB_LINK_BROKEN;
}

static int is_restart(const struct plumb_link* link) {
  return link->in[PLACE_OF_KIND] == PLUMB_WIRE_RESTART && number_at(link->in + PLACE_OF_LENGTH, 4) == 0;
}

int plumb_frame_receive(struct plumb_link* link, int is_idle) {
  uint32_t patience = is_idle ? PLUMB_LINK_SILENCE : PLUMB_LINK_PATIENCE;
  int state;
  uint32_t kind;
  drop(link, link->in_frame);
  link->in_frame = 0;
  state = fill(link, 1, &patience);
  patience = PLUMB_LINK_PATIENCE;
  if (state > 0) state = fill(link, PLUMB_WIRE_HEAD, &patience);
  if (state == 0) return plumb_link_break(link, "the server sends nothing more");
  if (state < 0) return plumb_link_break(link, "the channel is gone");
  if (link->in[0] != PLUMB_WIRE_SYNC_0 || link->in[1] != PLUMB_WIRE_SYNC_1 || link->in[2] != PLUMB_WIRE_VERSION)
    return plumb_link_break(link, "bytes that are no frame");
  if (number_at(link->in + PLACE_OF_LENGTH, 2) > link->in_size - PLUMB_WIRE_HEAD)
    return plumb_link_break(link, "a frame that is too long");
  state = fill(link, PLUMB_WIRE_HEAD + number_at(link->in + PLACE_OF_LENGTH, 2), &patience);
  if (state <= 0) return plumb_link_break(link, "a frame breaks off");
  if (!is_sound(link)) return plumb_link_break(link, "a frame with a wrong checksum");
  if (is_restart(link)) return plumb_link_break(link, "the server asks to begin again");
  if (number_at(link->in + PLACE_OF_NUMBER, 2) != link->in_number)
    return plumb_link_break(link, "a frame with a wrong number");
  link->in_number = (link->in_number + 1) & 0xffffu;
  kind = open_frame(link);
  return kind == PLUMB_WIRE_BYE ? farewell(link) : (int)kind;
}

/* Could the bytes at the start of `in` begin a frame of the handshake? */
static int is_beginning(const struct plumb_link* link) {
  static const uint8_t sync[3] = {PLUMB_WIRE_SYNC_0, PLUMB_WIRE_SYNC_1, PLUMB_WIRE_VERSION};
  uint32_t i;
  for (i = 0; i < sizeof sync && i < link->in_count; ++i)
    if (link->in[i] != sync[i]) return 0;
  return link->in_count < PLUMB_WIRE_HEAD || number_at(link->in + PLACE_OF_LENGTH, 2) <= PLUMB_WIRE_GREETING;
}

int plumb_frame_find(struct plumb_link* link) {
  uint32_t patience = link->channel->is_line ? PLUMB_LINK_STEP : PLUMB_LINK_PATIENCE;
  drop(link, link->in_frame);
  link->in_frame = 0;
  for (;;) {
    uint32_t wanted = PLUMB_WIRE_HEAD;
    while (link->in_count != 0 && !is_beginning(link)) drop(link, 1);
    if (link->in_count >= PLUMB_WIRE_HEAD) wanted += number_at(link->in + PLACE_OF_LENGTH, 2);
    if (link->in_count < wanted) {
      int state = fill(link, wanted, &patience);
      if (state < 0) return plumb_link_break(link, "the channel is gone");
      if (state > 0) continue;
      /* What looked like a frame does not go on; one may be hidden in it. */
      if (link->in_count == 0) return 0;
    } else if (is_sound(link)) {
      break;
    }
    drop(link, 1);
  }
  if (is_restart(link)) {
    link->in_frame = PLUMB_WIRE_HEAD;
    return PLUMB_WIRE_RESTART;
  }
  link->in_number = (number_at(link->in + PLACE_OF_NUMBER, 2) + 1) & 0xffffu;
  if (open_frame(link) == PLUMB_WIRE_BYE) return farewell(link);
  return link->in[PLACE_OF_KIND];
}
