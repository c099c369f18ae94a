/* What a stream of the core says, evaluated on the inputs of the run; ends the program if something is wrong. */
#ifndef PLUMB_TESTS_ARENA_READER_H
#define PLUMB_TESTS_ARENA_READER_H

#include "runtime/concolic/shadow.h"

#define STREAM_WORDS (1u << 22)

/* Words that the runtime has published, filled by the driver; how many of them. */
extern uint32_t arena_stream[STREAM_WORDS];
extern uint32_t arena_published;
/* Records that say that something did not fit, and a sum of all records but constants. */
extern uint32_t arena_lost;
extern uint64_t arena_sum;

void arena_begin(void);
/* All records that are new. */
void arena_follow(void);
uint64_t arena_value_of(uint32_t id);
uint64_t arena_low_bits(uint64_t value, uint32_t width);
__attribute__((noreturn)) void arena_fail(const char* what);

#endif
