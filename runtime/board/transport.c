/*
 * The wire: records are gathered in a buffer of fixed size and go as frames when it is full; a run's inputs and modes
 * come before it begins. Coverage is told as what differs from the run before, of which a bit an edge is kept.
 */
#include "loop.h"

struct plumb_program_identity {
  uint8_t fingerprint[PLUMB_WIRE_FINGERPRINT];
  uint32_t edges;
  uint32_t regions;
};
extern const struct plumb_program_identity __plumb_identity;
extern const uint8_t __plumb_token[];
extern const uint32_t __plumb_token_size;
extern uint8_t __plumb_coverage_before[];

#define LEAST_FRAME (PLUMB_WIRE_HEAD + PLUMB_WIRE_LEAST_PAYLOAD)
#define FRAME_BYTES (PLUMB_LINK_BYTES < LEAST_FRAME ? LEAST_FRAME : PLUMB_LINK_BYTES)
/* Room on the stack that sending needs: without it the run ends here, before a frame breaks off in the middle. */
#define STACK_FOR_SENDING 768u

struct plumb_link plumb_board_link;
static struct plumb_identity identity;
static uint32_t stream[PLUMB_STREAM_WORDS];
static uint8_t inputs[PLUMB_INPUT_BYTES] __attribute__((aligned(4)));
static uint8_t frame_in[FRAME_BYTES];
static uint8_t frame_out[FRAME_BYTES];
static volatile uint32_t published;
static int link_state;

PLUMB_FITS(stream, sizeof stream, PLUMB_SHARE_STREAM);
PLUMB_FITS(inputs, sizeof inputs, PLUMB_SHARE_INPUTS);

/* --- The channel --- */

static int32_t read_line(void* context, uint8_t* bytes, uint32_t size, uint32_t milliseconds) {
  uint32_t start = plumb_milliseconds;
  int32_t got;
  (void)context;
  do got = plumb_board->read(bytes, size);
  while (got == 0 && plumb_milliseconds - start < milliseconds);
  return got;
}

static int32_t write_line(void* context, const uint8_t* bytes, uint32_t size) {
  (void)context;
  return plumb_board->write(bytes, size);
}

static int random_bytes(void* context, uint8_t* bytes, uint32_t size) {
  (void)context;
  return plumb_board->random != 0 && plumb_board->random(bytes, size);
}

static const struct plumb_channel channel = {0, 1, read_line, write_line, random_bytes};

static uint8_t flags(void) {
  uint8_t result = PLUMB_WIRE_BARE_METAL;
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  result |= PLUMB_WIRE_BIG_ENDIAN;
#endif
  if (sizeof(void*) == 8) result |= PLUMB_WIRE_LONG_POINTERS;
  return result;
}

int plumb_open_transport(void) {
  uint32_t i;
  for (i = 0; i < PLUMB_WIRE_FINGERPRINT; ++i) identity.fingerprint[i] = __plumb_identity.fingerprint[i];
  identity.name = plumb_board->name;
  identity.edges = __plumb_identity.edges;
  identity.regions = __plumb_identity.regions;
  identity.flags = flags();
  identity.token = __plumb_token;
  identity.token_size = __plumb_token_size;
  if (plumb_board_link.channel == 0) {
    plumb_board_link.entropy = plumb_board->entropy;
    plumb_board_link.channel = &channel;
    plumb_board_link.identity = &identity;
    plumb_board_link.in = frame_in;
    plumb_board_link.in_size = sizeof frame_in;
    plumb_board_link.out = frame_out;
    plumb_board_link.out_size = sizeof frame_out;
  }
  for (i = 0; i < identity.regions; ++i) __plumb_modes[i] = 0;
  for (i = 0; i < (identity.edges + 7) / 8; ++i) __plumb_coverage_before[i] = 0;
  return plumb_link_open(&plumb_board_link);
}

/* --- A run begins --- */

/* The largest object that is surely told in one record, which has to fit the buffer: a word for each of its bytes is
   enough unless every byte is an expression of its own. */
static uint32_t largest_object(uint32_t asked) {
  const uint32_t others = 64;
  uint32_t largest = PLUMB_STREAM_WORDS - PLUMB_RESERVED_WORDS - others;
  return asked < largest ? asked : largest;
}

void plumb_begin_stream(const struct plumb_order* order) {
  static const struct plumb_state start;
  plumb_state = start;
  plumb_state.stream = stream;
  plumb_state.capacity = PLUMB_STREAM_WORDS - PLUMB_RESERVED_WORDS;
  plumb_state.published = &published;
  plumb_state.next_id = 1;
  plumb_state.max_inputs = order->max_inputs;
  plumb_state.max_nodes = order->max_nodes;
  plumb_state.max_object = largest_object(order->max_object);
  plumb_state.random_low = (uint32_t)order->random;
  plumb_state.random_high = (uint32_t)(order->random >> 32);
  plumb_state.given = inputs;
}

static int take_modes(void) {
  uint32_t i;
  uint8_t byte = 0;
  for (i = 0; i < identity.regions; ++i) {
    if (i % 8 == 0) {
      int state = plumb_link_data(&plumb_board_link, &byte, 1);
      if (state != PLUMB_LINK_OK) return state;
    }
    __plumb_modes[i] = byte >> i % 8 & 1;
  }
  return PLUMB_LINK_OK;
}

/* As inputs.c reads them: a word with the size in the machine's byte order, then the bytes, padded. */
static int take_input(uint32_t* used, int* fits) {
  uint32_t size;
  uint32_t padded;
  uint32_t room = (uint32_t)sizeof inputs - *used;
  int state = plumb_link_data_varint(&plumb_board_link, &size);
  if (state != PLUMB_LINK_OK) return state;
  padded = (size + 3) & ~3u;
  if (!*fits || room < sizeof size || size > room || padded > room - sizeof size) {
    *fits = 0;
    return plumb_link_data(&plumb_board_link, 0, size);
  }
  *(uint32_t*)(void*)(inputs + *used) = size;
  state = plumb_link_data(&plumb_board_link, inputs + *used + sizeof size, size);
  *used += (uint32_t)sizeof size + padded;
  return state;
}

int plumb_take_data(const struct plumb_order* order, int* fits) {
  uint32_t used = 0;
  int state = order->has_modes ? take_modes() : PLUMB_LINK_OK;
  *fits = 1;
  while (state == PLUMB_LINK_OK && plumb_board_link.data_left != 0) state = take_input(&used, fits);
  plumb_state.given_size = used;
  return state;
}

/* --- During a run --- */

static void send_complete(void) {
  uint32_t count = plumb_state.complete;
  uint32_t i;
  if (link_state == PLUMB_LINK_OK) link_state = plumb_link_events(&plumb_board_link, stream, count);
  for (i = count; i < plumb_state.position; ++i) stream[i - count] = stream[i];
  plumb_state.position -= count;
  plumb_state.complete = 0;
}

static int make_room(uint32_t words) {
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  if (plumb_board->stack_begin != 0 && here < plumb_board->stack_begin + STACK_FOR_SENDING)
    plumb_leave_run(PLUMB_WIRE_SIGNALLED, PLUMB_SIGSEGV, here, PLUMB_ERROR_STACK);
  plumb_is_sending = 1;
  send_complete();
  plumb_is_sending = 0;
  if (link_state != PLUMB_LINK_OK) plumb_leave_run(PLUMB_WIRE_LOST, 0, 0, 0);
  if (plumb_is_too_late) plumb_leave_run(PLUMB_WIRE_TIMED_OUT, 0, 0, 0);
  return plumb_state.capacity - plumb_state.position >= words;
}

static void end(uint32_t code) {
  (void)code;
  plumb_is_closed = 1;
  plumb_leave_run(PLUMB_WIRE_EXITED, 0, 0, 0);
}

static void fail(uint32_t error) {
  (void)error;
  plumb_leave_run(PLUMB_WIRE_EXITED, 1, 0, 0);
}

static int is_abort_handled(void) { return 0; }

const struct plumb_transport plumb_transport = {make_room, end, fail, is_abort_handled};

/* --- A run ends --- */

static int send_coverage(void) {
  uint32_t i;
  int state = PLUMB_LINK_OK;
  for (i = 0; i < identity.edges && state == PLUMB_LINK_OK; ++i) {
    uint8_t* before = &__plumb_coverage_before[i / 8];
    uint32_t is_taken = __plumb_coverage[i] != 0;
    if ((*before >> i % 8 & 1) == is_taken) continue;
    *before = (uint8_t)(*before ^ 1u << i % 8);
    state = plumb_link_edge(&plumb_board_link, i);
  }
  return state;
}

int plumb_end_stream(const struct plumb_ending* ending) {
  struct plumb_ending last = *ending;
  int state;
  plumb_state.position = plumb_state.complete;
  send_complete();
  last.left_out = plumb_state.left_out;
  state = link_state;
  link_state = PLUMB_LINK_OK;
  if (state == PLUMB_LINK_OK) state = send_coverage();
  if (state == PLUMB_LINK_OK) state = plumb_link_end(&plumb_board_link, &last);
  return state;
}
