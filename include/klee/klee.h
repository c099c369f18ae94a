/*
 * KLEE's vocabulary, for programs that were written for it. plumb gives them this header if they have no other; its
 * functions are known by their names.
 */
#ifndef PLUMB_KLEE_H
#define PLUMB_KLEE_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The size bytes at memory become a fresh input of that name. */
void klee_make_symbolic(void* memory, size_t size, const char* name);
void klee_assume(uintptr_t condition);
int klee_int(const char* name);

/* An input between low, included, and high, excluded. */
static __inline int klee_range(int low, int high, const char* name) {
  int value = low;
  klee_make_symbolic(&value, sizeof value, name);
  klee_assume(low <= value && value < high);
  return value;
}

#ifdef __cplusplus
}
#endif

#define klee_assert(condition) assert(condition)
/* A wish about which of several inputs is reported: no meaning here. */
#define klee_prefer_cex(memory, condition) ((void)0)

#endif /* PLUMB_KLEE_H */
