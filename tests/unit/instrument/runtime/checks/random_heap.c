/*
 * Random sequences of allocations, with what may be accessed of each object in between: one line a question. Compiled
 * with AddressSanitizer and with runtime/checks, it must print the same.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(WITH_ADDRESS_SANITIZER)
void* __asan_region_is_poisoned(void* begin, size_t size);
static int is_addressable(char* address, size_t size) { return __asan_region_is_poisoned(address, size) == NULL; }
#else
#include "runtime/checks/checks.h"
static int is_addressable(char* address, size_t size) { return __plumb_room(address, size) == size; }
#endif

#define SLOTS 12
static char* objects[SLOTS];
static size_t sizes[SLOTS];
static int is_freed[SLOTS];
static uint32_t state;

static uint32_t pick(uint32_t count) {
  state = state * 1664525u + 1013904223u;
  return (state >> 8) % count;
}

/* Not 0: AddressSanitizer gives a byte then, the runtime none. */
static size_t pick_size(void) {
  uint32_t bits = pick(13);
  return bits == 12 ? 100000 + pick(100000) : 1 + pick(1u << bits);
}

static void change(uint32_t slot) {
  size_t size = pick_size();
  switch (is_freed[slot] || objects[slot] == NULL ? pick(2) : 2 + pick(3)) {
    case 0:
      objects[slot] = malloc(size);
      break;
    case 1:
      objects[slot] = calloc(1, size);
      break;
    case 2:
    case 3:
      free(objects[slot]);
      is_freed[slot] = 1;
      return;
    default:
      objects[slot] = realloc(objects[slot], size);
  }
  sizes[slot] = size;
  is_freed[slot] = 0;
  memset(objects[slot], 1, size);
}

/* No farther from the object than the room that both have around it. */
static void ask(uint32_t slot) {
  size_t offset = pick((uint32_t)sizes[slot] + 24);
  size_t size = 1 + pick(16);
  if (objects[slot] == NULL) return;
  if (pick(2) == 0) offset = sizes[slot] + 8 - pick(17 < sizes[slot] + 8 ? 17 : (uint32_t)sizes[slot] + 8);
  printf("%u %zu %zu %zu: %d\n", slot, sizes[slot], offset, size, is_addressable(objects[slot] + offset - 16, size));
}

int main(int count, char** arguments) {
  uint32_t sequences = count > 1 ? (uint32_t)atoi(arguments[1]) : 1;
  uint32_t i;
  int step;
  for (i = 0; i < sequences; ++i) {
    state = i;
    for (step = 0; step < 60; ++step) {
      change(pick(SLOTS));
      ask(pick(SLOTS));
      ask(pick(SLOTS));
    }
  }
  return 0;
}
