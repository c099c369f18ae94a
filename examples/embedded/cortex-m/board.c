/* The board: its line to the server, its clock, its memory. With -DSEMIHOSTING the line is the debugger's console. */
#include <plumb/board.h>

#define UART 0x40004000u
#define CLOCK 25000000u
#define INTERRUPTS_ON (*(volatile uint32_t*)0xe000e100u)

extern char stack_begin[];

const struct plumb_board_range plumb_board_ranges[] = {
    {0x00000000u, 0x00400000u}, /* code */
    {0x20000000u, 0x20400000u}, /* data */
    {0x40000000u, 0x40030000u}, /* registers of the board */
    {0xe0000000u, 0xe0100000u}, /* of the processor */
};
const uint32_t plumb_board_range_count = sizeof plumb_board_ranges / sizeof plumb_board_ranges[0];

void UARTRX0_Handler(void);
void UARTRX0_Handler(void) { plumb_cmsdk_uart_interrupt(); }

/* What differs from start to start, so that no nonce of the handshake comes twice: memory as it was when the board was
   switched on, and a count of resets since. Memory may come up the same each time, and an emulator's does: a board with
   a generator of random numbers should set `board.random` in place of this, one with flash can count its starts there. */
__attribute__((section(".noinit"))) static volatile uint32_t leftover[64];

static uint64_t entropy(void) {
  uint64_t sum = UINT64_C(0xcbf29ce484222325);
  uint32_t i;
  ++leftover[0];
  for (i = 0; i < 64; ++i) sum = (sum ^ leftover[i]) * UINT64_C(0x100000001b3);
  return sum;
}

void board(void);
void board(void) {
  struct plumb_board board = {0};
  board.name = "mps2";
  board.entropy = entropy();
#if defined(SEMIHOSTING)
  board.read = plumb_semihosting_read;
  board.write = plumb_semihosting_write;
#else
  plumb_cmsdk_uart_begin(UART, CLOCK, 115200);
  INTERRUPTS_ON = 1; /* number 0: UART 0 has received */
  board.read = plumb_cmsdk_uart_read;
  board.write = plumb_cmsdk_uart_write;
#endif
  board.tick_frequency = CLOCK;
  board.stack_begin = (uintptr_t)stack_begin;
  plumb_board_main(&board);
}
