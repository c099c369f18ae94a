/*
 * Calls the runtime by hand, as instrumented code would: the first input says what to do. Each case is told in run.py.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/checks/checks.h"
#include "runtime/concolic/protocol.h"
#include "runtime/concolic/runtime.h"

#define TABLE 65536
uint8_t __plumb_coverage[TABLE] __attribute__((aligned(TABLE)));
uint8_t __plumb_modes[TABLE] __attribute__((aligned(TABLE)));
const uint32_t __plumb_coverage_size = TABLE;
const uint32_t __plumb_modes_size = TABLE;
const struct plumb_global __plumb_globals[1] = {{0, 0}};
const uint32_t __plumb_global_count = 0;
const struct {
  uint8_t fingerprint[32];
  uint32_t edges;
  uint32_t regions;
} __plumb_identity = {{1, 2, 3}, 300, 5};
extern struct plumb_shared* plumb_shared;

#define NOINLINE __attribute__((noinline))
static void* volatile kept;

static NOINLINE void* take(size_t size) { return malloc(size); }

static NOINLINE void access_at(uint32_t site, void* address) {
  if (__plumb_bad_access(site, address, 1) == address) _exit(9);
}

static NOINLINE void lose_object(void) {
  volatile char* object = take(24);
  object[0] = 1;
}

/* What was on the stack below is not there any more. */
static NOINLINE void scrub(void) {
  volatile char bytes[8192];
  size_t i;
  for (i = 0; i < sizeof bytes; ++i) bytes[i] = 0;
}

static NOINLINE int recurse(volatile int* depth) {
  volatile char bytes[4096];
  bytes[0] = (char)++*depth;
  return (*depth != 0 ? recurse(depth) : 0) + bytes[0];
}

static NOINLINE void inner(char* object) {
  access_at(40, object + 10);
  __asm__ volatile("");
}
static NOINLINE void middle(char* object) {
  inner(object);
  __asm__ volatile("");
}
static NOINLINE void one_way(char* object) {
  middle(object);
  __asm__ volatile("");
}
static NOINLINE void other_way(char* object) {
  middle(object);
  __asm__ volatile("");
}

static void stress_heap(void) {
  enum { SLOTS = 64, ROUNDS = 3000 };
  static unsigned char* objects[SLOTS];
  static size_t sizes[SLOTS];
  uint32_t state = 1;
  int round;
  for (round = 0; round < ROUNDS; ++round) {
    uint32_t slot = (state = state * 1664525u + 1013904223u) >> 8 & (SLOTS - 1);
    size_t size = (state >> 16) % 3000 + 1;
    size_t i;
    for (i = 0; i < sizes[slot]; ++i)
      if (objects[slot][i] != (unsigned char)slot) _exit(8);
    if (state >> 30 == 0) {
      free(objects[slot]);
      objects[slot] = 0;
      size = 0;
    } else if (state >> 30 == 1) {
      free(objects[slot]);
      objects[slot] = calloc(1, size);
    } else {
      objects[slot] = realloc(objects[slot], size);
    }
    sizes[slot] = size;
    memset(objects[slot] != 0 ? objects[slot] : (unsigned char*)"", (int)slot, size);
    if (__plumb_room(objects[slot], size + 64) != size && size != 0) _exit(7);
  }
}

static void align_objects(void) {
  size_t alignment;
  for (alignment = sizeof(void*); alignment <= 65536; alignment *= 2) {
    void* first = 0;
    void* second = 0;
    if (posix_memalign(&first, alignment, 100) != 0 || posix_memalign(&second, alignment, 100) != 0) _exit(7);
    if ((uintptr_t)first % alignment != 0 || (uintptr_t)second % alignment != 0) _exit(6);
    memset(first, 1, 100);
    memset(second, 2, 100);
    free(first);
    free(second);
  }
}

static void* allocate_in_thread(void* unused) {
  free(malloc(100));
  (void)unused;
  return malloc(200);
}

static const struct plumb_variable variable = {0, 24, 77};
static const struct plumb_frame frame = {64, 1, &variable};
static const struct plumb_frame large_frame = {60000, 1, &variable};
static void* volatile kept_end;

static void make_deep_tree(void) {
  int i;
  for (i = 0; i < 3000; ++i)
    if (mkdir("deep", 0700) != 0 || chdir("deep") != 0) break;
}

static int is_directory_empty(void) { return rmdir("../run") != 0 ? access("deep", F_OK) != 0 : 1; }

static void far_away(void) {
  char* memory = mmap((void*)(uintptr_t)(sizeof(void*) == 8 ? UINT64_C(0x2000000000) : 0x10000000u), 65536,
                      PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED || *PLUMB_ADDRESSABLE(memory) != 0 || !__plumb_check_block(50, memory, 65536, 1)) _exit(5);
  memory[65535] = 1;
}

static void give_up(int number) {
  (void)number;
  _exit(7);
}

static void wild(uint64_t place) {
  uintptr_t address = (uintptr_t)(sizeof(void*) == 8 ? place : 0xdead0000u);
  if (*(volatile int8_t*)PLUMB_ADDRESSABLE(address) != 0) _exit(5);
  *(volatile int*)address = 1;
}

int main(void) {
  uint16_t values[2] = {0, 0};
  uint32_t what = (uint32_t)__plumb_nondet(4, "what");
  char* object;
  char* local = take(100);
  int depth = 0;
  kept = take(100);
  __plumb_coverage[what] = 1;
  switch (what) {
    case 1:
      object = take(10);
      access_at(10, object + 10);
      free(object);
      break;
    case 2:
      object = take(10);
      free(object);
      free(object);
      break;
    case 3:
      lose_object();
      scrub();
      break;
    case 4: /* what a variable of this function holds is no leak as long as it has not returned */
      exit(local[0] = 0);
    case 5:
      *(volatile int*)8 = 3;
      break;
    case 6:
      far_away();
      break;
    case 7:
      wild(UINT64_C(0x212345678000));
      break;
    case 8:
      return recurse(&depth);
    case 9:
      object = take(10);
      one_way(object);
      one_way(object);
      other_way(object);
      free(object);
      break;
    case 10:
      abort();
    case 11:
      stress_heap();
      break;
    case 12:
      align_objects();
      break;
    case 13:
      object = take(10);
      free(object);
      access_at(11, object);
      break;
    case 14:
      object = take((size_t)48 << 20);
      if (object == 0) return 4;
      object[0] = object[((size_t)48 << 20) - 1] = 1;
      access_at(12, object + ((size_t)48 << 20));
      free(object);
      break;
    case 15:
      object = __plumb_enter_frame(&frame);
      if (object == 0) return 4;
      object[0] = 1;
      access_at(13, object + 24);
      __plumb_leave_frame(&frame, object);
      access_at(14, object);
      break;
    case 16: {
      pthread_t thread;
      void* result = 0;
      if (pthread_create(&thread, 0, allocate_in_thread, 0) != 0) return 4;
      pthread_join(thread, &result);
      free(result);
      break;
    }
    case 17:
      __plumb_make_symbolic(values, sizeof values, "values", 2);
      return values[0] == 0x0201 && values[1] == 0x0403 ? 0 : 3;
    case 18:
      object = take(10);
      free(object + 1);
      free(object);
      break;
    case 19: /* as high as the map itself is */
      wild(UINT64_C(0x3123456000));
      break;
    case 20:
      for (;;) {
      }
    case 21:
      kill(getppid(), SIGKILL);
      pause();
      break;
    case 22:
      plumb_shared->stream_words = 0xffffffffu;
      plumb_shared->magic = 0;
      break;
    case 23:
      make_deep_tree();
      break;
    case 24:
      return is_directory_empty() ? 0 : 5;
    case 25:
      if (__plumb_fork() == 0) {
        setsid();
        for (;;) pause();
      }
      break;
    case 26: {
      static char bytes[16384];
      int file = open("file", O_WRONLY | O_CREAT, 0600);
      return write(file, bytes, sizeof bytes) == 4096 && write(file, bytes, 1) < 0 ? 2 : 0;
    }
    case 27: {
      pid_t child = __plumb_fork();
      if (child == 0) _exit(0);
      return child < 0;
    }
    case 28: /* its end is all that is known of it */
      kept_end = (char*)take(40) + 40;
      scrub();
      break;
    case 29: /* a handler of the program's own */
      signal(SIGSEGV, give_up);
      far_away();
      break;
    case 30: /* more than there is room for */
      for (depth = 0; depth < 5; ++depth)
        while (__plumb_enter_frame(&large_frame) != 0) continue;
      break;
    default:
      break;
  }
  free(local);
  __plumb_entry_returned();
  return 0;
}
