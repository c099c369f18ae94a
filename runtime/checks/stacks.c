/*
 * Call stacks, by frame pointers. A chain of them is followed only as long as
 * it rises within the first thread's stack, so that code without frame pointers
 * costs frames, never a fault. Stacks of allocations are kept once each.
 */
#define _GNU_SOURCE
#include <sys/resource.h>

#include "internal.h"

uint32_t plumb_stack_limit = 4;

extern const char __executable_start[];
extern const char etext[];
/* The code of the runtime itself, where the link has put it together. */
extern const char __start_plumb_text[] __attribute__((weak));
extern const char __stop_plumb_text[] __attribute__((weak));
/* Of the dynamic linker: where the first thread's stack began. */
extern void* __libc_stack_end;

static uintptr_t stack_top;
static uintptr_t stack_size;

void plumb_prepare_stacks(void) {
  const uintptr_t most = (uintptr_t)1 << 26;
  struct rlimit limit;
  stack_top = (uintptr_t)__libc_stack_end;
  stack_size = (uintptr_t)1 << 23;
  if (getrlimit(RLIMIT_STACK, &limit) == 0) stack_size = limit.rlim_cur < most ? (uintptr_t)limit.rlim_cur : most;
}

/* Nothing else is mapped where the stack may grow, so all from the frame to its
 * top is stack. */
uintptr_t plumb_stack_end(uintptr_t frame) {
  return plumb_is_first_thread && frame < stack_top && stack_top - frame < stack_size ? stack_top : 0;
}

static int is_in(const void* address, const char* begin, const char* end) {
  return (uintptr_t)address >= (uintptr_t)begin && (uintptr_t)address < (uintptr_t)end;
}

static int is_runtime(const void* address) {
  return __start_plumb_text != 0 && is_in(address, __start_plumb_text, __stop_plumb_text);
}

int plumb_is_program(const void* address) { return is_in(address, __executable_start, etext) && !is_runtime(address); }

/* --- What a frame pointer leads to --- */

#if defined(__riscv)
/* It is where the frame ends. */
#define BELOW_POINTER (2 * sizeof(void*))
#define ABOVE_POINTER 0
static const void* return_address(uintptr_t frame) { return ((const void* const*)frame)[-1]; }
static uintptr_t next_frame(uintptr_t frame) { return (uintptr_t)((const void* const*)frame)[-2]; }
#elif defined(__s390x__)
/* It is the stack pointer, and leads to the one of the caller, where the return address was saved. */
#define BELOW_POINTER 0
#define SAVED_RETURN 112u
#define ABOVE_POINTER (SAVED_RETURN + 2 * sizeof(void*))
static uintptr_t next_frame(uintptr_t frame) { return *(const uintptr_t*)frame; }
static const void* return_address(uintptr_t frame) {
  uintptr_t next = next_frame(frame);
  return next > frame && next % sizeof next == 0 && next <= stack_top - ABOVE_POINTER
             ? *(const void* const*)(next + SAVED_RETURN)
             : 0;
}
#else
/* x86, AArch64, and ARM as clang has it. */
#define BELOW_POINTER 0
#define ABOVE_POINTER (2 * sizeof(void*))
static const void* return_address(uintptr_t frame) { return ((const void* const*)frame)[1]; }
static uintptr_t next_frame(uintptr_t frame) { return (uintptr_t)((const void* const*)frame)[0]; }
#endif

void plumb_take_stack(struct plumb_stack* stack, struct plumb_caller caller) {
  plumb_take_stack_above(stack, caller, (uintptr_t)__builtin_frame_address(0));
}

void plumb_take_stack_above(struct plumb_stack* stack, struct plumb_caller caller, uintptr_t below) {
  uintptr_t end = plumb_stack_end(below);
  uintptr_t frame = (uintptr_t)caller.frame;
  const void* address = caller.address;
  stack->depth = 0;
  for (;;) {
    if (!is_runtime(address)) stack->frames[stack->depth++] = address;
    if (stack->depth == plumb_stack_limit || frame <= below || frame % sizeof(void*) != 0) return;
    if (frame - below < BELOW_POINTER || frame > end || end - frame < ABOVE_POINTER) return;
    below = frame;
    address = return_address(frame);
    frame = next_frame(frame);
    if (address == 0) return;
  }
}

/* --- Kept stacks: their words one after the other, found by hash --- */

/* A stack's number is the index of its first word. */
struct __attribute__((may_alias)) kept_stack {
  uint32_t next; /* in the bucket */
  uint32_t depth;
};
#define HEAD_WORDS ((sizeof(struct kept_stack) + sizeof(void*) - 1) / sizeof(void*))

static const void* kept[PLUMB_KEPT_WORDS];
static uint32_t kept_words = 1;
static uint32_t buckets[PLUMB_KEPT_BUCKETS];

static struct kept_stack* head_of(uint32_t number) { return (struct kept_stack*)(void*)&kept[number]; }

static int is_kept_as(uint32_t number, const struct plumb_stack* stack) {
  const void* const* frames = &kept[number + HEAD_WORDS];
  uint32_t i;
  if (head_of(number)->depth != stack->depth) return 0;
  for (i = 0; i < stack->depth; ++i)
    if (frames[i] != stack->frames[i]) return 0;
  return 1;
}

static uint32_t bucket_of(const struct plumb_stack* stack) {
  uintptr_t hash = stack->depth;
  uint32_t i;
  for (i = 0; i < stack->depth; ++i) hash = (hash ^ (uintptr_t)stack->frames[i]) * 0x9e3779b1u;
  return (uint32_t)(hash ^ hash >> 15) % PLUMB_KEPT_BUCKETS;
}

uint32_t plumb_keep_stack(struct plumb_caller caller) {
  struct plumb_stack stack;
  struct kept_stack* head;
  uint32_t* bucket;
  uint32_t number;
  uint32_t i;
  plumb_take_stack(&stack, caller);
  bucket = &buckets[bucket_of(&stack)];
  for (number = *bucket; number != 0; number = head_of(number)->next)
    if (is_kept_as(number, &stack)) return number;
  if (PLUMB_KEPT_WORDS - kept_words < HEAD_WORDS + stack.depth) return 0;
  number = kept_words;
  kept_words += (uint32_t)HEAD_WORDS + stack.depth;
  head = head_of(number);
  head->next = *bucket;
  head->depth = stack.depth;
  for (i = 0; i < stack.depth; ++i) kept[number + HEAD_WORDS + i] = stack.frames[i];
  *bucket = number;
  return number;
}

void plumb_kept_stack(struct plumb_stack* stack, uint32_t number) {
  uint32_t i;
  stack->depth = number != 0 ? head_of(number)->depth : 0;
  for (i = 0; i < stack->depth; ++i) stack->frames[i] = kept[number + HEAD_WORDS + i];
}
