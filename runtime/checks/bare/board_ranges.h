/*
 * What a board says of its memory: all that may be accessed, RAM, ROM and registers. An access elsewhere is told as one
 * at a wild address. With none (count 0) every address is taken to be there.
 */
#ifndef PLUMB_CHECKS_BARE_BOARD_RANGES_H
#define PLUMB_CHECKS_BARE_BOARD_RANGES_H

#include <stdint.h>

struct plumb_board_range {
  uintptr_t begin;
  uintptr_t end; /* behind it; 0: the end of the address space */
};
extern const struct plumb_board_range plumb_board_ranges[];
extern const uint32_t plumb_board_range_count;

#endif
