/* Without call stacks: sites tell places. What is the program's own is known by its sites, too. */
#include "bare.h"

uint32_t plumb_stack_limit;
static uintptr_t stack_end;

void plumb_set_stack_end(uintptr_t end) { stack_end = end; }

uintptr_t plumb_stack_end(uintptr_t frame) { return frame < stack_end ? stack_end : 0; }

int plumb_is_program(const void* address) {
  (void)address;
  return __plumb_call_site != 0;
}

/* Variables that the code shows are on the stack, in frames, or global. */
int plumb_is_global(uintptr_t base) {
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  return !plumb_is_in_frames(base) && (base < here || base >= stack_end);
}

void plumb_take_stack(struct plumb_stack* stack, struct plumb_caller caller) {
  (void)caller;
  stack->depth = 0;
}

uint32_t plumb_keep_stack(struct plumb_caller caller) {
  (void)caller;
  return 0;
}

void plumb_kept_stack(struct plumb_stack* stack, uint32_t number) {
  (void)number;
  stack->depth = 0;
}
