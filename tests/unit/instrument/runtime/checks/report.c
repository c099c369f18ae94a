/* Defects of a replay with checks, for its report. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "runtime/checks/checks.h"

static char room[64] __attribute__((aligned(32)));
const struct plumb_padded_global __plumb_padded_globals[] = {{room, 20, 64}};
const uint32_t __plumb_padded_global_count = 1;

static const char constant[64] = "not to be written";

__attribute__((noinline)) static char* allocate(size_t size) { return malloc(size); }
__attribute__((noinline)) static void overrun(char* object) {
  __plumb_bad_access(5, object + 20, 4 | PLUMB_ACCESS_WRITE);
}

__attribute__((noinline)) static void tell_some(void) {
  char* object = allocate(20);
  int i;
  for (i = 0; i < 3; ++i) overrun(object); /* told once */
  free(object);
  __plumb_bad_access(6, object, 1);
  __plumb_bad_access(7, room + 20, 1);
  object = allocate(30);
}

/* Without end: each at another site. */
static void tell_many(void) {
  uint32_t i;
  for (i = 1; i < 1000; ++i) __plumb_bad_value(i, PLUMB_DEFECT_OVERFLOW, i, 1);
}

__attribute__((noinline)) static int overflow(int depth) {
  volatile char filled[1000];
  filled[0] = (char)depth;
  return depth < 0 ? 0 : overflow(depth + 1) + filled[0];
}

/* So deep that nothing is left of the pointer on the part of the stack that is live at the end. */
__attribute__((noinline)) static void lose(void) {
  volatile char deep[65536];
  size_t i;
  for (i = 0; i < sizeof deep; i += 4096) deep[i] = 0;
  deep[0] = allocate(50)[0];
}

int main(int count, char** arguments) {
  const char* what = count > 1 ? arguments[1] : "";
  volatile int zero = count - count;
  if (getenv("PLUMB_DEFECTS") != NULL || getenv("PLUMB_MEMORY") != NULL)
    return 9; /* the program's own are the test's */
  if (strcmp(what, "some") == 0) tell_some();
  if (strcmp(what, "many") == 0) tell_many();
  if (strcmp(what, "null") == 0) *(volatile int*)(uintptr_t)8 = 1;
  if (strcmp(what, "wild") == 0) return *(volatile int*)(uintptr_t)0x77770000;
  if (strcmp(what, "constant") == 0) *(volatile char*)(uintptr_t)constant = 1;
  if (strcmp(what, "divide") == 0) return count / zero;
  if (strcmp(what, "deep") == 0) return overflow(0);
  if (strcmp(what, "library") == 0) memset((void*)(uintptr_t)16, 1, 8);
  if (strcmp(what, "exit") == 0) {
    lose();
    exit(zero);
  }
  if (strcmp(what, "memory") == 0) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return 8;
    return malloc(64 << 20) != NULL && malloc(64 << 20) == NULL ? 0 : 7;
  }
  __plumb_entry_returned();
  return 0;
}
