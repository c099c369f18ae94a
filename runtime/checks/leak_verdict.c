/* What is told of objects that a search (leaks.c, bare/leaks.c) has not marked: each place of allocation once. */
#include "internal.h"

#define MOST_TOLD 64u

void plumb_tell_leaks(uint32_t entry_returned) {
  struct {
    uint32_t stack;
    uint32_t site;
  } told[MOST_TOLD];
  uint32_t told_count = 0;
  uint32_t i;
  for (i = 0; i < plumb_entry_count && told_count < MOST_TOLD; ++i) {
    const struct plumb_block* block = plumb_live_block(i);
    struct plumb_defect_record record = {0};
    uint32_t j = 0;
    if (block == 0 || (block->state & PLUMB_MARKED) != 0) continue;
    while (j < told_count && (told[j].stack != block->allocated || told[j].site != plumb_entries[i].site)) ++j;
    if (j < told_count) continue;
    told[told_count].stack = block->allocated;
    told[told_count++].site = plumb_entries[i].site;
    record.kind = PLUMB_DEFECT_LEAK;
    record.site = plumb_entries[i].site;
    record.address = plumb_object_of(block);
    record.a = entry_returned;
    plumb_describe_block(&record, block);
    plumb_tell_defect(&record);
  }
}
