#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>

#include "cases.h"

/* --- Stacks --- */

__attribute__((noinline)) static char* allocate_here(size_t size) {
  char* object = malloc(size);
  object[0] = 0;
  return object;
}

__attribute__((noinline)) static char* allocate_deeper(int depth) {
  char* object = depth == 0 ? allocate_here(10) : allocate_deeper(depth - 1);
  object[1] = (char)depth;
  return object;
}

void stacks(void) {
  char* object = allocate_deeper(5);
  uintptr_t here = (uintptr_t)allocate_here;
  uintptr_t deeper = (uintptr_t)allocate_deeper;
  uint32_t i;
  CHECK(kind_of_access(object + 10, 1) == PLUMB_DEFECT_POINTER);
  CHECK(last.allocated.depth > 7 && last.allocated.depth <= PLUMB_STACK_DEPTH);
  CHECK((uintptr_t)last.allocated.frames[0] - here < 200);
  for (i = 1; i <= 6; ++i) CHECK((uintptr_t)last.allocated.frames[i] - deeper < 200);
  object = allocate_deeper(100);
  CHECK(kind_of_access(object + 10, 1) == PLUMB_DEFECT_POINTER && last.allocated.depth == PLUMB_STACK_DEPTH);
}

static void with_frame_pointer(uintptr_t value) {
#if defined(__x86_64__)
  __asm__ volatile(
      "push %%rbp\n\tmov %0, %%rbp\n\tmov $40, %%edi\n\tcall malloc@PLT\n\tmov %%rax, %%rdi\n\tcall free@PLT\n\tpop "
      "%%rbp"
      :
      : "b"(value)
      : "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "memory", "cc");
#else
  (void)value;
#endif
}

/* Whatever the register holds: code without frame pointers uses it for anything. */
void broken_frame_pointers(void) {
  char local[256];
  uintptr_t near = ((uintptr_t)local + 15) & ~(uintptr_t)15;
  uintptr_t i;
  for (i = 0; i < 64; ++i) {
    with_frame_pointer((uintptr_t)1 << i);
    with_frame_pointer(~(uintptr_t)0 << i);
  }
  memset(local, 0xff, sizeof local);
  for (i = 0; i < 128; ++i) with_frame_pointer(near + i);
  memset(local, 0, sizeof local);
  for (i = 0; i < 128; ++i) with_frame_pointer(near + i);
  /* A loop. */
  ((uintptr_t*)near)[0] = near;
  ((uintptr_t*)near)[1] = (uintptr_t)stacks;
  with_frame_pointer(near);
  CHECK(told == 0);
}

/* --- Frames --- */

static const struct plumb_variable variables[] = {{32, 4, 11}, {48, 20, 12}, {96, 8, 13}};
static const struct plumb_frame described = {128, 3, variables};

static void check_frame(const char* memory) {
  uint32_t offset;
  CHECK((uintptr_t)memory % 32 == 0);
  for (offset = 0; offset < described.size; ++offset) {
    uint32_t expected = PLUMB_DEFECT_ARRAY;
    size_t i;
    for (i = 0; i < 3; ++i)
      if (offset - variables[i].offset < variables[i].size) expected = 0;
    CHECK(kind_of_access(memory + offset, 1) == expected);
    if (expected == 0) continue;
    CHECK(last.object_kind == PLUMB_OBJECT_STACK);
  }
  CHECK(kind_of_access(memory + 36, 1) == PLUMB_DEFECT_ARRAY);
  CHECK(last.object_base == (uintptr_t)memory + 32 && last.object_size == 4 && last.a == 11);
  CHECK(kind_of_access(memory + 47, 1) == PLUMB_DEFECT_ARRAY);
  CHECK(last.object_base == (uintptr_t)memory + 48 && last.object_size == 20 && last.a == 12);
  CHECK(kind_of_access(memory + 64, 8 | PLUMB_ACCESS_WRITE) == PLUMB_DEFECT_ARRAY && last.a == 12);
}

void frames(void) {
  char* outer = __plumb_enter_frame(&described);
  char* inner = __plumb_enter_frame(&described);
  CHECK(outer != NULL && inner != NULL && outer != inner);
  check_frame(outer);
  check_frame(inner);
  __plumb_leave_frame(&described, inner);
  check_frame(outer);
  CHECK(kind_of_access(inner + 32, 4) == PLUMB_DEFECT_RETURNED);
  CHECK(last.object_kind == PLUMB_OBJECT_STACK && last.object_base == (uintptr_t)inner + 32 && last.a == 11);
  __plumb_leave_frame(&described, outer);
  CHECK(kind_of_access(outer + 100, 4) == PLUMB_DEFECT_RETURNED && last.a == 13);
  __plumb_leave_frame(&described, NULL);
}

static const struct plumb_variable small_variable[] = {{32, 8, 1}};
static const struct plumb_frame small_frame = {64, 1, small_variable};
static const struct plumb_variable medium_variable[] = {{32, 30, 1}};
static const struct plumb_frame medium_frame = {96, 1, medium_variable};

void returned_frames(void) {
  char* first = __plumb_enter_frame(&small_frame);
  char* reused;
  int i;
  __plumb_leave_frame(&small_frame, first);
  for (i = 0; i < 100; ++i) __plumb_leave_frame(&small_frame, __plumb_enter_frame(&small_frame));
  CHECK(kind_of_access(first + 32, 1) == PLUMB_DEFECT_RETURNED);
  /* Memory is used again before long, by frames of other shapes too: what is behind a smaller one is its own room. */
  first = __plumb_enter_frame(&described);
  __plumb_leave_frame(&described, first);
  for (i = 0; i < 100000; ++i) {
    reused = __plumb_enter_frame(&medium_frame);
    if (reused == first) break;
    __plumb_leave_frame(&medium_frame, reused);
  }
  CHECK(reused == first && kind_of_access(reused + 32, 30) == 0);
  CHECK(kind_of_access(reused + 32, 31) == PLUMB_DEFECT_ARRAY && kind_of_access(reused + 100, 1) == PLUMB_DEFECT_ARRAY);
  CHECK(last.object_base == (uintptr_t)reused + 32 && last.object_size == 30);
}

void scoped_variables(void) {
  char* frame = __plumb_enter_frame(&medium_frame);
  __plumb_leave_scope(frame + 32, 30);
  CHECK(kind_of_access(frame + 32, 1) == PLUMB_DEFECT_SCOPE && kind_of_access(frame + 61, 1) == PLUMB_DEFECT_SCOPE);
  CHECK(last.object_base == (uintptr_t)frame + 32 && last.object_size == 30 && last.a == 1);
  CHECK(kind_of_access(frame + 64, 1) == PLUMB_DEFECT_ARRAY);
  __plumb_enter_scope(frame + 32, 30);
  CHECK(kind_of_access(frame + 32, 30) == 0 && kind_of_access(frame + 32, 31) == PLUMB_DEFECT_ARRAY);
  __plumb_leave_scope(frame + 32, 30);
  __plumb_leave_frame(&medium_frame, frame);
  CHECK(kind_of_access(frame + 32, 1) == PLUMB_DEFECT_RETURNED);
  /* A variable that is in no frame. */
  __plumb_leave_scope(&frame, sizeof frame);
  CHECK(kind_of_access((char*)&frame, 1) == 0);
}

__attribute__((noinline)) static int recurse(int depth, int* without) {
  char* memory = __plumb_enter_frame(&small_frame);
  int result = 1;
  if (memory == NULL) {
    ++*without;
  } else {
    memory[32] = (char)depth;
    CHECK(kind_of_inline_access(memory + 32, 8) == 0);
  }
  if (depth > 0) result += recurse(depth - 1, without);
  if (memory != NULL) {
    CHECK(memory[32] == (char)depth);
    __plumb_leave_frame(&small_frame, memory);
  }
  return result;
}

/* More functions at a time than there is room for get no frame, and those that come later do again. */
void deep_frames(void) {
  static const struct plumb_frame large = {1 << 20, 1, small_variable};
  static const struct plumb_frame too_large = {(1 << 20) + 1, 1, small_variable};
  void* all[8];
  int without = 0;
  int i;
  CHECK(recurse(60000, &without) == 60001 && without > 0);
  without = 0;
  CHECK(recurse(1000, &without) == 1001 && without == 0);
  for (i = 0; i < 8; ++i) all[i] = __plumb_enter_frame(&large);
  CHECK(all[0] != NULL && all[7] == NULL);
  for (i = 0; i < 8; ++i) __plumb_leave_frame(&large, all[i]);
  CHECK(__plumb_enter_frame(&large) != NULL && __plumb_enter_frame(&too_large) == NULL);
}

static jmp_buf way_back;

__attribute__((noinline)) static void skip_all(int depth) {
  char* memory = __plumb_enter_frame(&small_frame);
  CHECK(memory != NULL);
  if (depth == 0) longjmp(way_back, 1);
  skip_all(depth - 1);
  __plumb_leave_frame(&small_frame, memory);
}

static char* handler_frame;
static void on_signal(int number) {
  int i;
  (void)number;
  for (i = 0; i < 100000 && (handler_frame = __plumb_enter_frame(&medium_frame)) != NULL; ++i) {
  }
}

/* What longjmp skips is taken back, what is live is not, also when a handler runs on a stack of its own. */
void skipped_frames(void) {
  char* live = __plumb_enter_frame(&small_frame);
  char* medium = __plumb_enter_frame(&medium_frame);
  char signal_stack[32768];
  struct sigaction action;
  stack_t stack;
  volatile int round;
  live[32] = 99;
  for (round = 0; round < 2000; ++round)
    if (setjmp(way_back) == 0) skip_all(100);
  CHECK(live[32] == 99 && kind_of_access(live + 32, 8) == 0);
  memset(&stack, 0, sizeof stack);
  stack.ss_sp = signal_stack;
  stack.ss_size = sizeof signal_stack;
  CHECK(sigaltstack(&stack, NULL) == 0);
  memset(&action, 0, sizeof action);
  action.sa_handler = on_signal;
  action.sa_flags = SA_ONSTACK;
  sigaction(SIGUSR1, &action, NULL);
  raise(SIGUSR1);
  CHECK(handler_frame == NULL && kind_of_access(medium + 32, 30) == 0);
}

static void* enter_in_thread(void* unused) {
  (void)unused;
  return __plumb_enter_frame(&small_frame);
}

void frames_of_threads(void) {
  pthread_t thread;
  void* memory = &thread;
  CHECK(pthread_create(&thread, NULL, enter_in_thread, NULL) == 0 && pthread_join(thread, &memory) == 0);
  CHECK(memory == NULL);
}
