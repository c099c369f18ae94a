/* What the link's own files share: frames, and the numbers in them. */
#ifndef PLUMB_LINK_FRAMES_H
#define PLUMB_LINK_FRAMES_H

#include "link.h"

#pragma GCC visibility push(hidden)

#define PLUMB_LINK_PATIENCE 10000u /* ms, for an answer in the handshake and from a frame's first byte to its last */
#define PLUMB_LINK_SILENCE 60000u  /* ms, between runs: the server asks before that whether we are there (PING) */
#define PLUMB_LINK_STEP 1000u      /* ms, of one wait */

int plumb_link_break(struct plumb_link* link, const char* trouble);

/* --- Writing: begin, put, send. Needs room for what is put; plumb_frame_room() says how much there is. --- */

void plumb_frame_begin(struct plumb_link* link, uint32_t kind);
void plumb_frame_bytes(struct plumb_link* link, const uint8_t* bytes, uint32_t size);
void plumb_frame_number(struct plumb_link* link, uint32_t value, uint32_t bytes);
void plumb_frame_varint(struct plumb_link* link, uint64_t value);
int plumb_frame_send(struct plumb_link* link);
static inline uint32_t plumb_frame_room(const struct plumb_link* link) { return link->out_limit - link->out_count; }

/* --- Reading. A frame that was received stays in `in` until the next; its parts are taken one after the other. --- */

/*
 * The next frame of the session: whole, of the right number. Waits PLUMB_LINK_SILENCE for the first byte if `is_idle`,
 * else PLUMB_LINK_PATIENCE. Gives its kind; BYE and RESTART, which may come at any time, give OVER, REFUSED or BROKEN.
 */
int plumb_frame_receive(struct plumb_link* link, int is_idle);
/* The same when anything may stand between frames: the first that makes sense before the handshake. 0: none came. */
int plumb_frame_find(struct plumb_link* link);
static inline uint32_t plumb_frame_left(const struct plumb_link* link) { return link->in_frame - link->in_read; }
/* These need so many bytes to be left. */
uint32_t plumb_frame_take(struct plumb_link* link, uint32_t bytes);
const uint8_t* plumb_frame_take_bytes(struct plumb_link* link, uint32_t bytes);
/* Gives 0 if the payload has none here of at most so many bits. */
int plumb_frame_take_varint(struct plumb_link* link, uint32_t bits, uint64_t* value);

#pragma GCC visibility pop

#endif
