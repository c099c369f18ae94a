/* The handshake, and what the server orders. */
#include "frames.h"

/* --- Handshake --- */

static uint32_t length_of(const char* text, uint32_t limit) {
  uint32_t length = 0;
  while (text != 0 && length < limit && text[length] != 0) ++length;
  return length;
}

/* Without random bytes nonces are a chain of hashes: none comes twice, and none can be told from those before without
   the entropy that it began with. */
static void make_nonce(struct plumb_link* link, uint8_t* nonce) {
  struct plumb_sha256 sum;
  uint8_t digest[32];
  uint8_t state[8];
  uint32_t i;
  if (link->channel->random != 0 && link->channel->random(link->channel->context, nonce, PLUMB_WIRE_NONCE) != 0) return;
  for (i = 0; i < 8; ++i) state[i] = (uint8_t)(link->entropy >> (8 * i));
  plumb_sha256_begin(&sum);
  plumb_sha256_add(&sum, state, 8);
  plumb_sha256_add(&sum, link->identity->token, link->identity->token_size);
  plumb_sha256_end(&sum, digest);
  for (i = 0; i < PLUMB_WIRE_NONCE; ++i) nonce[i] = digest[i];
  for (i = 0; i < 8; ++i) link->entropy += (uint64_t)digest[PLUMB_WIRE_NONCE + i] << (8 * i);
}

static int say_hello(struct plumb_link* link) {
  const struct plumb_identity* identity = link->identity;
  uint32_t longest = link->in_size - PLUMB_WIRE_HEAD;
  uint32_t length = length_of(identity->name, PLUMB_WIRE_NAME);
  uint8_t nonce[PLUMB_WIRE_NONCE];
  make_nonce(link, nonce);
  link->out_number = 0;
  link->out_limit = PLUMB_WIRE_GREETING;
  plumb_frame_begin(link, PLUMB_WIRE_HELLO);
  plumb_frame_number(link, PLUMB_WIRE_VERSION, 2);
  plumb_frame_number(link, identity->flags, 1);
  plumb_frame_number(link, length, 1);
  plumb_frame_number(link, longest < PLUMB_WIRE_PAYLOAD ? longest : PLUMB_WIRE_PAYLOAD, 2);
  plumb_frame_bytes(link, nonce, PLUMB_WIRE_NONCE);
  plumb_frame_bytes(link, identity->fingerprint, PLUMB_WIRE_FINGERPRINT);
  plumb_frame_number(link, identity->edges, 4);
  plumb_frame_number(link, identity->regions, 4);
  plumb_frame_bytes(link, (const uint8_t*)identity->name, length);
  return plumb_frame_send(link);
}

/* HELLO until CHALLENGE is there; HELLO's payload is then still in `out`, out_count bytes. */
static int find_challenge(struct plumb_link* link) {
  for (;;) {
    int kind = say_hello(link);
    if (kind != PLUMB_LINK_OK) return kind;
    do {
      kind = plumb_frame_find(link);
      if (kind < 0) return kind;
      if (kind == PLUMB_WIRE_CHALLENGE && link->in_number == 1 && plumb_frame_left(link) == PLUMB_WIRE_NONCE + 2)
        return PLUMB_LINK_OK;
      if (!link->channel->is_line)
        return plumb_link_break(link, kind == 0 ? "no answer to HELLO" : "a frame that is not due");
      /* Of a session that was before: the server has not seen HELLO yet. */
    } while (kind != 0 && kind != PLUMB_WIRE_RESTART);
  }
}

static void compute_proofs(struct plumb_link* link, const uint8_t* nonce, uint8_t* own, uint8_t* servers) {
  const uint8_t* hello = link->out + PLUMB_WIRE_HEAD;
  struct plumb_hmac mac;
  plumb_hmac_begin(&mac, link->identity->token, link->identity->token_size);
  plumb_hmac_add(&mac, (const uint8_t*)PLUMB_WIRE_TARGET_LABEL, PLUMB_WIRE_LABEL);
  plumb_hmac_add(&mac, nonce, PLUMB_WIRE_NONCE);
  plumb_hmac_add(&mac, hello, link->out_count);
  plumb_hmac_end(&mac, own);
  plumb_hmac_begin(&mac, link->identity->token, link->identity->token_size);
  plumb_hmac_add(&mac, (const uint8_t*)PLUMB_WIRE_SERVER_LABEL, PLUMB_WIRE_LABEL);
  plumb_hmac_add(&mac, hello, link->out_count);
  plumb_hmac_add(&mac, nonce, PLUMB_WIRE_NONCE);
  plumb_hmac_end(&mac, servers);
}

/* Takes the same time wherever they differ. */
static int is_same(const uint8_t* a, const uint8_t* b, uint32_t size) {
  volatile uint8_t difference = 0;
  uint32_t i;
  for (i = 0; i < size; ++i) difference = (uint8_t)(difference | (a[i] ^ b[i]));
  return difference == 0;
}

static int prove(struct plumb_link* link) {
  const uint8_t* nonce = plumb_frame_take_bytes(link, PLUMB_WIRE_NONCE);
  uint32_t longest = plumb_frame_take(link, 2);
  uint32_t own_longest = link->out_size - PLUMB_WIRE_HEAD;
  uint8_t own[PLUMB_WIRE_MAC];
  uint8_t servers[PLUMB_WIRE_MAC];
  int kind;
  uint32_t i;
  if (longest < PLUMB_WIRE_LEAST_PAYLOAD || longest > PLUMB_WIRE_PAYLOAD)
    return plumb_link_break(link, "CHALLENGE with a longest payload that cannot be");
  for (i = 0; i < 8; ++i) link->entropy ^= (uint64_t)nonce[i] << (8 * i);
  compute_proofs(link, nonce, own, servers);
  plumb_frame_begin(link, PLUMB_WIRE_PROOF);
  plumb_frame_bytes(link, own, PLUMB_WIRE_MAC);
  kind = plumb_frame_send(link);
  if (kind != PLUMB_LINK_OK) return kind;
  kind = plumb_frame_receive(link, 0);
  if (kind < 0) return kind;
  if (kind != PLUMB_WIRE_WELCOME || plumb_frame_left(link) != PLUMB_WIRE_MAC + 4)
    return plumb_link_break(link, "no WELCOME");
  if (!is_same(plumb_frame_take_bytes(link, PLUMB_WIRE_MAC), servers, PLUMB_WIRE_MAC)) {
    link->trouble = "the server's proof is wrong: its token is another one";
    return PLUMB_LINK_REFUSED;
  }
  link->session = plumb_frame_take(link, 4);
  link->out_limit = longest < own_longest ? longest : own_longest;
  return PLUMB_LINK_OK;
}

int plumb_link_open(struct plumb_link* link) {
  int state;
  link->trouble = "";
  link->farewell = 0;
  link->farewell_size = 0;
  link->in_count = 0;
  link->in_frame = 0;
  link->out_kind = 0;
  link->run = 0;
  link->data_left = 0;
  link->session = 0;
  state = find_challenge(link);
  return state == PLUMB_LINK_OK ? prove(link) : state;
}

/* --- Orders --- */

static int take_32(struct plumb_link* link, uint32_t* value) {
  uint64_t wide;
  if (!plumb_frame_take_varint(link, 32, &wide)) return 0;
  *value = (uint32_t)wide;
  return 1;
}

static int take_order(struct plumb_link* link, struct plumb_order* order) {
  uint32_t flags;
  if (!take_32(link, &order->run) || !plumb_frame_take_varint(link, 64, &order->random) ||
      !take_32(link, &order->max_inputs) || !take_32(link, &order->max_nodes) || !take_32(link, &order->max_object) ||
      !take_32(link, &order->milliseconds) || !take_32(link, &order->memory) || !take_32(link, &order->file_size) ||
      !take_32(link, &order->processes) || !take_32(link, &flags) || !take_32(link, &order->data))
    return 0;
  if (order->run <= link->run || flags > PLUMB_WIRE_MODES || plumb_frame_left(link) > order->data) return 0;
  order->has_modes = flags & PLUMB_WIRE_MODES;
  return 1;
}

int plumb_link_next(struct plumb_link* link, struct plumb_order* order) {
  int kind = plumb_link_data(link, 0, link->data_left);
  if (kind != PLUMB_LINK_OK) return kind;
  for (;;) {
    kind = plumb_frame_receive(link, 1);
    if (kind < 0) return kind;
    if (kind != PLUMB_WIRE_PING) break;
    if (plumb_frame_left(link) != 0) return plumb_link_break(link, "PING with a payload");
    plumb_frame_begin(link, PLUMB_WIRE_PONG);
    kind = plumb_frame_send(link);
    if (kind != PLUMB_LINK_OK) return kind;
  }
  if (kind != PLUMB_WIRE_RUN) return plumb_link_break(link, "a frame that is not due");
  if (!take_order(link, order)) return plumb_link_break(link, "RUN that does not make sense");
  link->run = order->run;
  link->words = 0;
  link->edges = 0;
  link->last_edge = (uint32_t)-1; /* the first counts from -1 */
  link->data_left = order->data;
  return PLUMB_LINK_OK;
}

static int receive_data(struct plumb_link* link) {
  uint32_t run;
  int kind = plumb_frame_receive(link, 0);
  if (kind < 0) return kind;
  if (kind != PLUMB_WIRE_DATA) return plumb_link_break(link, "a frame that is not due");
  if (!take_32(link, &run) || run != link->run || plumb_frame_left(link) == 0 ||
      plumb_frame_left(link) > link->data_left)
    return plumb_link_break(link, "DATA that does not make sense");
  return PLUMB_LINK_OK;
}

int plumb_link_data(struct plumb_link* link, uint8_t* bytes, uint32_t size) {
  if (size > link->data_left) return plumb_link_break(link, "the data of the run is too short");
  while (size != 0) {
    uint32_t part = plumb_frame_left(link);
    const uint8_t* from;
    uint32_t i;
    if (part == 0) {
      int state = receive_data(link);
      if (state != PLUMB_LINK_OK) return state;
      continue;
    }
    if (part > size) part = size;
    from = plumb_frame_take_bytes(link, part);
    if (bytes != 0) {
      for (i = 0; i < part; ++i) bytes[i] = from[i];
      bytes += part;
    }
    size -= part;
    link->data_left -= part;
  }
  return PLUMB_LINK_OK;
}

int plumb_link_data_varint(struct plumb_link* link, uint32_t* value) {
  uint32_t shift;
  *value = 0;
  for (shift = 0; shift < 35; shift += 7) {
    uint8_t byte;
    int state = plumb_link_data(link, &byte, 1);
    if (state != PLUMB_LINK_OK) return state;
    if (shift == 28 && byte > 15) break;
    *value |= (uint32_t)(byte & 127) << shift;
    if (byte < 128) {
      if (byte == 0 && shift != 0) break;
      return PLUMB_LINK_OK;
    }
  }
  return plumb_link_break(link, "a number in the data that is too long");
}
