/* The loop: takes orders from the server and runs the program, restored, for each. */
#include "../link/frames.h"
#include "loop.h"

int __plumb_entry(void);

const struct plumb_board* plumb_board;
volatile uint32_t plumb_is_running;
volatile uint32_t plumb_is_sending;
volatile uint32_t plumb_is_too_late;
volatile uint32_t plumb_milliseconds;
uint32_t plumb_is_closed;
uintptr_t plumb_loop_stack;

static int stack_is_watched;
static volatile uint32_t deadline; /* in ms of plumb_milliseconds */
static struct plumb_ending ending;
static void* way_back[5]; /* of __builtin_setjmp */

/* For boards that say nothing of their memory. */
__attribute__((weak)) const struct plumb_board_range plumb_board_ranges[1] = {{0, 0}};
__attribute__((weak)) const uint32_t plumb_board_range_count = 0;

#define CANARY 0x706c6d62u

void plumb_board_tick(uint32_t milliseconds) {
  plumb_milliseconds += milliseconds;
  if (!plumb_is_running || plumb_is_too_late || (int32_t)(plumb_milliseconds - deadline) < 0) return;
  if (plumb_is_sending) {
    plumb_is_too_late = 1;
  } else {
    plumb_is_too_late = (uint32_t)plumb_end_from_interrupt();
  }
}

void plumb_leave_run(uint32_t how, uint32_t code, uint64_t fault_address, uint32_t error) {
  plumb_is_running = 0;
  plumb_recording = 0;
  if (error != 0) plumb_record_error(error, 0);
  ending.how = how;
  ending.code = code;
  ending.fault_address = fault_address;
  __builtin_longjmp(way_back, 1);
}

/* The program, from a place that it is left to. Its frame is where the loop's stack ends. */
__attribute__((noinline)) static void run_program(void) {
  if (__builtin_setjmp(way_back) == 0) {
    int code;
    uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
    plumb_loop_stack = frame - 256; /* below what this function has itself */
    plumb_set_stack_end(frame);
    plumb_is_running = 1;
    plumb_recording = 1;
    code = __plumb_entry();
    __plumb_exit(code);
  }
}

/* A word at the end of the stack that only an overflow changes, where the processor does not watch it. */
static uint32_t* canary(void) {
  return plumb_board->stack_begin == 0 || stack_is_watched ? 0 : (uint32_t*)plumb_board->stack_begin;
}

static int do_run(const struct plumb_order* order) {
  uint32_t start;
  int fits = 1;
  int state;
  uint32_t i;
  ending.how = PLUMB_WIRE_EXITED;
  ending.code = 0;
  ending.fault_address = 0;
  plumb_begin_stream(order);
  state = plumb_take_data(order, &fits);
  if (state != PLUMB_LINK_OK) return state;
  plumb_reset_run();
  plumb_restore_globals();
  plumb_reset_checks();
  for (i = 0; i < __plumb_coverage_size; ++i) __plumb_coverage[i] = 0;
  if (canary() != 0) *canary() = CANARY;
  plumb_is_too_late = 0;
  plumb_is_closed = 0;
  deadline = plumb_milliseconds + order->milliseconds;
  start = plumb_microseconds();
  if (fits) {
    run_program();
  } else {
    plumb_state.left_out = 1;
    plumb_state.stream[plumb_state.position++] = plumb_head(PLUMB_END, PLUMB_END_INPUTS, 0);
    plumb_publish();
  }
  plumb_restore_processor();
  ending.microseconds = plumb_microseconds() - start;
  if (canary() != 0 && *canary() != CANARY && !plumb_is_closed) plumb_record_error(PLUMB_ERROR_STACK, 0);
  return plumb_end_stream(&ending);
}

/* Without ticks, some turns of the loop. */
static void wait(uint32_t milliseconds) {
  uint32_t start = plumb_milliseconds;
  uint32_t turns = 0;
  while (plumb_milliseconds - start < milliseconds)
    if (plumb_milliseconds == start && ++turns > 100000000u) return;
}

/* After the last run of a campaign nothing is said until a server asks for it. */
static void wait_for_restart(void) {
  int kind;
  do kind = plumb_frame_find(&plumb_board_link);
  while (kind != PLUMB_WIRE_RESTART);
}

static int serve(void) {
  struct plumb_order order;
  int state;
  do {
    state = plumb_link_next(&plumb_board_link, &order);
    if (state == PLUMB_LINK_OK) state = do_run(&order);
  } while (state == PLUMB_LINK_OK);
  return state;
}

void plumb_board_main(const struct plumb_board* board) {
  plumb_board = board;
  stack_is_watched = plumb_begin_processor();
  plumb_begin_checks();
  plumb_prepare_objects();
  for (;;) {
    int state = plumb_open_transport();
    if (state == PLUMB_LINK_OK) state = serve();
    if (state == PLUMB_LINK_OVER) wait_for_restart();
    if (state == PLUMB_LINK_REFUSED) wait(3000);
    if (state == PLUMB_LINK_BROKEN) wait(100);
  }
}
