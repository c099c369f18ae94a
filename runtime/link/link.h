/*
 * The target's end of the link to the server (docs/remote-protocol.md): C99, no malloc, no dependency. Used by
 * plumb-target on boards with Linux and by the runtime itself on bare metal.
 *
 * A link is a session over a channel, which only moves bytes. All memory is the caller's. A function that gives
 * PLUMB_LINK_BROKEN has ended the session; plumb_link_open() begins a new one, on a line over the same channel.
 */
#ifndef PLUMB_LINK_LINK_H
#define PLUMB_LINK_LINK_H

#include <stdint.h>

#include "wire.h"

#pragma GCC visibility push(hidden)

/* --- The transport table --- */

struct plumb_channel {
  void* context;
  /* A serial line or the like: it cannot be closed, the other end may not be there yet, and a board prints on it when
     it starts. HELLO is repeated. Else (TCP) HELLO is said once and a broken session wants a new connection. */
  uint32_t is_line;
  /* Up to `size` bytes that are there, waiting at most so long for the first; 0: none came, -1: the channel is gone. */
  int32_t (*read)(void* context, uint8_t* bytes, uint32_t size, uint32_t milliseconds);
  /* All of them, or -1. */
  int32_t (*write)(void* context, const uint8_t* bytes, uint32_t size);
  /* Bytes that nobody can guess; 0 if there are none (null: never), then nonces are hashed from a counter, what the
     server sent before and `entropy` of the link, which should differ from boot to boot. */
  int (*random)(void* context, uint8_t* bytes, uint32_t size);
};

struct plumb_identity {
  const char* name;
  uint8_t fingerprint[PLUMB_WIRE_FINGERPRINT];
  uint32_t edges;
  uint32_t regions;
  uint8_t flags; /* enum plumb_wire_flag */
  const uint8_t* token;
  uint32_t token_size;
};

enum plumb_link_state { PLUMB_LINK_OK = 0, PLUMB_LINK_BROKEN = -1, PLUMB_LINK_OVER = -2, PLUMB_LINK_REFUSED = -3 };

struct plumb_link {
  const struct plumb_channel* channel;
  const struct plumb_identity* identity;
  uint8_t* in; /* a frame: in_size >= PLUMB_WIRE_HEAD + PLUMB_WIRE_LEAST_PAYLOAD */
  uint32_t in_size;
  uint8_t* out; /* likewise */
  uint32_t out_size;
  uint64_t entropy;
  /* To be read: */
  uint32_t session;
  uint32_t run;
  uint64_t bytes_in;
  uint64_t bytes_out;
  const char* trouble; /* why the session broke */
  uint32_t reason;     /* of BYE, enum plumb_wire_bye; its text, in `in` until the next call: */
  const uint8_t* farewell;
  uint32_t farewell_size;
  /* The link's own; zeros at first: */
  uint32_t in_count;  /* bytes in `in` */
  uint32_t in_frame;  /* of these, the bytes of the frame that was received last */
  uint32_t in_read;   /* and of these, those that were looked at */
  uint32_t out_kind;  /* of the frame that is being written; 0: none */
  uint32_t out_count; /* of its payload */
  uint32_t out_limit; /* longest payload that both sides take */
  uint32_t in_number;
  uint32_t out_number;
  uint32_t words; /* of the run's EVENTS */
  uint32_t edges; /* of the run's COVERAGE */
  uint32_t last_edge;
  uint32_t data_left;
};

/* What RUN says. */
struct plumb_order {
  uint32_t run;
  uint64_t random;
  uint32_t max_inputs;
  uint32_t max_nodes;
  uint32_t max_object;
  uint32_t milliseconds;
  uint32_t memory; /* MiB */
  uint32_t file_size;
  uint32_t processes;
  uint32_t has_modes;
  uint32_t data; /* bytes */
};

/*
 * The handshake; drops what was before. OVER: the server has nothing more to do. REFUSED: it does not want this target,
 * or does not have its token. BROKEN: the channel is gone, or the server cannot be understood. On a line without an
 * answer it goes on for ever.
 */
int plumb_link_open(struct plumb_link* link);
/* Waits for the next RUN; answers PING meanwhile, and breaks off if there is nothing for 60 s. What was not read of the
   data before is skipped. */
int plumb_link_next(struct plumb_link* link, struct plumb_order* order);
/* The next `size` bytes of the order's data, in order; `bytes` null: skips them. All of it must be read before the run
   begins. */
int plumb_link_data(struct plumb_link* link, uint8_t* bytes, uint32_t size);
/* A varint of the data. */
int plumb_link_data_varint(struct plumb_link* link, uint32_t* value);
/* Of the run: complete records, in pieces as they come. */
int plumb_link_events(struct plumb_link* link, const uint32_t* words, uint32_t count);
/* An edge that differs, by rising numbers, after the events. */
int plumb_link_edge(struct plumb_link* link, uint32_t edge);

struct plumb_ending {
  uint32_t how; /* enum plumb_wire_end */
  uint32_t code;
  uint64_t fault_address;
  uint32_t microseconds;
  uint32_t left_out;
};
int plumb_link_end(struct plumb_link* link, const struct plumb_ending* ending);
/* Level: 0 information, 1 warning, 2 error; what is too long is cut. */
int plumb_link_note(struct plumb_link* link, uint32_t level, const char* text);

/* --- Parts, for tests --- */

uint32_t plumb_crc32(uint32_t crc, const uint8_t* bytes, uint32_t size); /* start with 0 */
struct plumb_sha256 {
  uint32_t state[8];
  uint64_t size;
  uint8_t block[64];
};
void plumb_sha256_begin(struct plumb_sha256* sum);
void plumb_sha256_add(struct plumb_sha256* sum, const uint8_t* bytes, uint32_t size);
void plumb_sha256_end(struct plumb_sha256* sum, uint8_t digest[32]);
struct plumb_hmac {
  struct plumb_sha256 inner;
  uint8_t outer_key[64];
};
void plumb_hmac_begin(struct plumb_hmac* mac, const uint8_t* key, uint32_t size);
void plumb_hmac_add(struct plumb_hmac* mac, const uint8_t* bytes, uint32_t size);
void plumb_hmac_end(struct plumb_hmac* mac, uint8_t digest[32]);

#pragma GCC visibility pop

#endif
