/*
 * Testing on a board without an operating system: what the board's own code gives and calls. Self-contained; programs
 * include it as <plumb/board.h>.
 *
 * Startup code sets up the clock and the line, fills in a struct plumb_board and calls plumb_board_main(), which talks
 * to `plumb serve` over the line and runs the entry function again and again. Before each run the program's variables
 * are restored; what the program does to registers of the machine is not undone.
 */
#ifndef PLUMB_BOARD_H
#define PLUMB_BOARD_H

#include <stdint.h>

struct plumb_board {
  const char* name; /* that the server shows, at most 32 characters */
  /* The line to the server. read: up to `size` bytes that are there, 0: none are there now (a line that can only be
     read by waiting may wait); write: all of them, waiting as long as it takes. -1: the line is gone. What comes
     between two reads, some milliseconds, has to be kept: by the UART, DMA or an interrupt. */
  int32_t (*read)(uint8_t* bytes, uint32_t size);
  int32_t (*write)(const uint8_t* bytes, uint32_t size);
  /* Bytes that nobody can guess, 0 if there are none; may be null. Then `entropy` should differ from start to start. */
  int (*random)(uint8_t* bytes, uint32_t size);
  uint64_t entropy;
  /* Cortex-M: clock of SysTick in Hz, which then belongs to the runtime. 0: the board calls plumb_board_tick(). */
  uint32_t tick_frequency;
  /* The lowest address of the stack that the loop and the program run on; 0: overflows are not seen. */
  uintptr_t stack_begin;
};

/* Never returns. Interrupts may be on. */
__attribute__((noreturn)) void plumb_board_main(const struct plumb_board* board);

/* From a timer interrupt, if tick_frequency is 0: so many milliseconds have passed. Without ticks the link cannot wait
   and a run that does not end is not ended. */
void plumb_board_tick(uint32_t milliseconds);

/* All that may be accessed: RAM, ROM and registers. An access elsewhere is told as one at a wild address. A board may
   define the table; without one every address is taken to be there. */
struct plumb_board_range {
  uintptr_t begin;
  uintptr_t end; /* behind it; 0: the end of the address space */
};
extern const struct plumb_board_range plumb_board_ranges[];
extern const uint32_t plumb_board_range_count;

/* --- Lines that are here already, for struct plumb_board --- */

/* The UART of Arm's CMSDK (boards MPS2 and MPS3, emulated by QEMU); `base`: of its registers. The handler of its
   interrupt for received bytes calls plumb_cmsdk_uart_interrupt(). */
void plumb_cmsdk_uart_begin(uintptr_t base, uint32_t clock_frequency, uint32_t baud);
int32_t plumb_cmsdk_uart_read(uint8_t* bytes, uint32_t size);
int32_t plumb_cmsdk_uart_write(const uint8_t* bytes, uint32_t size);
void plumb_cmsdk_uart_interrupt(void);

/* Semihosting: standard input and output of the debugger or emulator. Slow: the processor stops for every call. */
int32_t plumb_semihosting_read(uint8_t* bytes, uint32_t size);
int32_t plumb_semihosting_write(const uint8_t* bytes, uint32_t size);

#endif
