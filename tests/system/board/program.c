/*
 * Calls of the runtime as instrumented code has them, by hand: the loop of runtime/board without the rest. The first
 * input says what the program does.
 */
#include <assert.h>
#include <stdlib.h>

#include "runtime/checks/bare/bare.h"
#include "runtime/concolic/state.h"

#define EDGES 20
#define REGIONS 10

uint8_t __plumb_coverage[EDGES];
const uint32_t __plumb_coverage_size = EDGES;
uint8_t __plumb_modes[REGIONS];
const uint32_t __plumb_modes_size = REGIONS;
uint8_t __plumb_coverage_before[(EDGES + 7) / 8 + 1];
const struct {
  uint8_t fingerprint[32];
  uint32_t edges;
  uint32_t regions;
} __plumb_identity = {{1, 2, 3}, EDGES, REGIONS};
const uint8_t __plumb_token[] = "a token of the test";
const uint32_t __plumb_token_size = sizeof __plumb_token - 1;
const struct plumb_global __plumb_globals[1] = {{0, 0}};
const uint32_t __plumb_global_count = 0;
const struct plumb_padded_global __plumb_padded_globals[1];
const uint32_t __plumb_padded_global_count = 0;

static int counter = 40;
static int zeros[3];
static void* kept;
static const int counter_image = 40;
const struct plumb_image __plumb_images[] = {
    {&counter, &counter_image, sizeof counter}, {zeros, 0, sizeof zeros}, {&kept, 0, sizeof kept}};
const uint32_t __plumb_image_count = 3;

static volatile int sink;

static int deeper(int depth) {
  volatile char room[64];
  room[depth % 64] = (char)depth;
  return sink < 0 ? depth : deeper(depth + 1) + room[depth % 32];
}

static void branch(uint32_t site) { __plumb_branch(site, 0, 1); }

/* Where it was left, the next run must not be seen. */
static void faults(unsigned what) {
  switch (what) {
    case 10:
      sink = *(volatile int*)0x60000000;
      break;
    case 11:
      *(volatile int*)0x70000004 = 1;
      break;
    case 12:
      __asm__ volatile("udiv r0, r0, %0" ::"r"(0) : "r0");
      break;
    case 13:
      __asm__ volatile("udf #1");
      break;
    case 14:
      ((void (*)(void))(uintptr_t)0x50000001u)();
      break;
    case 15:
      sink = deeper(0);
      break;
    case 16:
      __asm__ volatile("cpsid i");
      sink = *(volatile int*)0x60000000;
      break;
    default:
      break;
  }
}

static const struct plumb_variable variable = {32, 20, 71};
static const struct plumb_frame frame = {64, 1, &variable};

static int is_undisturbed(void) {
  unsigned char* object;
  int is_same = 1;
  unsigned i;
  __plumb_call_site = 5;
  kept = object = __plumb_malloc(600);
  if (object == 0) return 0;
  for (i = 0; i < 600; ++i) object[i] = 0x5a;
  if (strtod("2.718281828459045235360287471352662497757e-99", 0) > 1) return 0;
  for (i = 0; i < 600; ++i) is_same &= object[i] == 0x5a;
  __plumb_call_site = 5;
  __plumb_free(object);
  return is_same;
}

int __plumb_entry(void);
int __plumb_entry(void) {
  unsigned what = (unsigned)__plumb_nondet(1, "what");
  unsigned i;
  __plumb_coverage[what % EDGES] = 1;
  switch (what) {
    case 0:
      return 3;
    case 1:
      branch(7);
      break;
    case 2:
      return counter++ + zeros[2]++;
    case 3:
      abort();
    case 4:
      exit(5);
    case 5:
      assert(what != 5);
      break;
    case 6:
      for (;;) sink++;
    case 7:
      for (i = 0; i < 30000; ++i) branch(i);
      break;
    case 8:
      for (i = 0;; ++i) branch(i);
    case 9:
      for (i = 0; i < REGIONS; ++i) counter += __plumb_modes[i] << i;
      return counter - 40 > 255 ? 255 : counter - 40;
    case 17: {
      uint8_t block[1000];
      __plumb_make_symbolic(block, sizeof block, "block", 1);
      return block[999];
    }
    case 20: /* the second leaks, in every run */
      __plumb_call_site = 5;
      kept = __plumb_malloc(24);
      __plumb_call_site = 6;
      sink = __plumb_malloc(40) == 0;
      __plumb_entry_returned();
      return 0;
    case 21: /* what the C library keeps of it stays for the next run */
      return strtod("3.14159265358979323846264338327950288e-120", 0) < 1 ? 0 : 1;
    case 22:
      return is_undisturbed() ? 0 : 1;
    case 23: /* an interrupt comes in the middle of a record, and has more to tell than can wait */
      plumb_recording = 0;
      for (i = 0; i < 9; ++i) __plumb_bad_index(50 + i / 3, 3, 2);
      plumb_recording = 1;
      break;
    case 24: /* each without room */
      while (__plumb_enter_frame(&frame) != 0) continue;
      sink = __plumb_enter_frame(&frame) == 0;
      break;
    case 18:
      __plumb_error(PLUMB_ERROR_REACHED, 9);
      break;
    case 19:
      __plumb_assume(4, 0, 1);
      break;
    default:
      faults(what);
      break;
  }
  return 0;
}
