/* What the cases of runtime/checks share: a program that is linked with the runtime and keeps what it tells. */
#ifndef CASES_H
#define CASES_H

#include <stdio.h>
#include <stdlib.h>

#include "runtime/checks/checks.h"

#define CHECK(condition)                                              \
  do {                                                                \
    if (!(condition)) {                                               \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
      exit(1);                                                        \
    }                                                                 \
  } while (0)

/* How often a defect was told, and the last one. */
extern uint32_t told;
extern struct plumb_defect_record last;
extern uint32_t watched;

/* What the access is told to be, 0 if it is right; what it is given must then be the address itself. */
uint32_t kind_of_access(const void* address, uint32_t access);
/* The same of code that tests inline. */
uint32_t kind_of_inline_access(const void* address, uint32_t access);

extern char* padded_global; /* 20 bytes, in room for 64 */

void heap_accesses(void);
void zero_sizes(void);
void alignments(void);
void bad_frees(void);
void reallocations(void);
void quarantine(void);
void memory_is_used_again(void);
void shared_room(void);
void failing_allocations(void);
void library_calls(void);
void early_memory(void);
void threads(void);
void forks(void);
void stacks(void);
void broken_frame_pointers(void);
void frames(void);
void returned_frames(void);
void scoped_variables(void);
void deep_frames(void);
void skipped_frames(void);
void frames_of_threads(void);
void globals(void);
void null_and_wild(void);
void substitutes(void);
void blocks(void);
void questions(void);
void watched_objects(void);
void leaks(void);
void no_leaks(void);
void no_verdict(void);

#endif
