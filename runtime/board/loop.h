/* What the board's files share: how a run ends, and the seam to the processor (cortex_m.c). */
#ifndef PLUMB_BOARD_LOOP_H
#define PLUMB_BOARD_LOOP_H

#include "../checks/bare/bare.h"
#include "../concolic/shadow.h"
#include "../link/link.h"
#include "board.h"

#pragma GCC visibility push(hidden)

/* Signals as the server numbers them, whatever the C library has. */
enum { PLUMB_SIGILL = 4, PLUMB_SIGABRT = 6, PLUMB_SIGBUS = 7, PLUMB_SIGFPE = 8, PLUMB_SIGSEGV = 11 };

/* --- The loop (board.c) --- */

extern const struct plumb_board* plumb_board;
/* 1 while the program runs. */
extern volatile uint32_t plumb_is_running;
/* 1 while the transport sends: a run that is to be ended from an interrupt is then ended when it is done. */
extern volatile uint32_t plumb_is_sending;
extern volatile uint32_t plumb_is_too_late;
/* PLUMB_END was written: no record may follow. */
extern uint32_t plumb_is_closed;
/* What lies above belongs to the loop, what lies below to the run. */
extern uintptr_t plumb_loop_stack;

/* Ends the run: back to the loop, by restoring its stack. `error`: of a record to be written, or 0. */
PLUMB_NORETURN void plumb_leave_run(uint32_t how, uint32_t code, uint64_t fault_address, uint32_t error);
/* What exit() does: looks for leaks first. Called by instrumented code. */
PLUMB_NORETURN __attribute__((visibility("default"))) void __plumb_exit(int code);

/* --- The transport (transport.c) --- */

int plumb_open_transport(void);
/* The link, after plumb_open_transport(). */
extern struct plumb_link plumb_board_link;
/* Fills in plumb_state for a run. */
void plumb_begin_stream(const struct plumb_order* order);
/* Takes the data of the order: modes and inputs. Gives the state of the link; `fits` is 0 if inputs had no room. */
int plumb_take_data(const struct plumb_order* order, int* fits);
/* All that is still to be told of the run. Gives the state of the link. */
int plumb_end_stream(const struct plumb_ending* ending);

/* --- The processor --- */

/* Gives 1 if it faults when the stack grows beyond the board's stack_begin. */
int plumb_begin_processor(void);
/* As after a reset, as far as an unfinished run can have left it otherwise. */
void plumb_restore_processor(void);
/* From an interrupt: plumb_leave_run() is to be called as soon as no interrupt is being handled. 0: it cannot be. */
int plumb_end_from_interrupt(void);
/* Since the board started; 0 always if there are no ticks. */
uint32_t plumb_microseconds(void);

extern volatile uint32_t plumb_milliseconds;

#pragma GCC visibility pop

#endif
