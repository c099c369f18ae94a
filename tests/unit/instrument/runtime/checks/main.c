#include <string.h>

#include "cases.h"

uint32_t told;
struct plumb_defect_record last;
uint32_t watched;

/* In place of the runtime's own, which would write a report. */
void plumb_tell_defect(const struct plumb_defect_record* defect) {
  ++told;
  last = *defect;
}

void plumb_tell_watched(uint32_t site, const void* address, uint32_t access, const void* base, size_t size,
                        uint32_t size_id) {
  CHECK((uintptr_t)address - (uintptr_t)base <= size - (access & ~PLUMB_ACCESS_WRITE));
  CHECK(site != 0 && size_id != 0);
  ++watched;
}

uint32_t kind_of_access(const void* address, uint32_t access) {
  uint32_t before = told;
  void* place = __plumb_bad_access(7, (void*)(uintptr_t)address, access);
  if (told == before) {
    CHECK(place == address);
    return 0;
  }
  CHECK(told == before + 1 && place != address);
  CHECK(last.site == 7 && last.access == access && last.address == (uintptr_t)address);
  CHECK(last.stack.depth > 0);
  return last.kind;
}

/* Of at most 8 bytes, in one unit or from the start of one. */
uint32_t kind_of_inline_access(const void* address, uint32_t access) {
  int8_t unit = *PLUMB_ADDRESSABLE(address);
  int8_t last_byte = (int8_t)(((uintptr_t)address & 7) + (access & ~PLUMB_ACCESS_WRITE) - 1);
  if (unit == 0 || last_byte < unit) return 0;
  return kind_of_access(address, access);
}

static char room[128] __attribute__((aligned(32)));
const struct plumb_padded_global __plumb_padded_globals[] = {{room, 20, 64}, {room + 64, 64, 64}};
const uint32_t __plumb_padded_global_count = 2;
char* padded_global = room;

#define CASE(name) {#name, name}
static const struct {
  const char* name;
  void (*run)(void);
} cases[] = {CASE(heap_accesses),
             CASE(zero_sizes),
             CASE(alignments),
             CASE(bad_frees),
             CASE(reallocations),
             CASE(quarantine),
             CASE(memory_is_used_again),
             CASE(shared_room),
             CASE(failing_allocations),
             CASE(library_calls),
             CASE(early_memory),
             CASE(threads),
             CASE(forks),
             CASE(stacks),
             CASE(broken_frame_pointers),
             CASE(frames),
             CASE(returned_frames),
             CASE(scoped_variables),
             CASE(deep_frames),
             CASE(skipped_frames),
             CASE(frames_of_threads),
             CASE(globals),
             CASE(null_and_wild),
             CASE(substitutes),
             CASE(blocks),
             CASE(questions),
             CASE(watched_objects),
             CASE(leaks),
             CASE(no_leaks),
             CASE(no_verdict)};

int main(int count, char** arguments) {
  size_t i;
  for (i = 0; count > 1 && i < sizeof cases / sizeof cases[0]; ++i) {
    if (strcmp(cases[i].name, arguments[1]) != 0) continue;
    cases[i].run();
    return 0;
  }
  fprintf(stderr, "no such case\n");
  return 2;
}
