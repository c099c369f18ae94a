// What lies in memory that grows and moves, and in copies of it.
#define _GNU_SOURCE
#include <plumb/plumb.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char text[4];
  plumb_symbolic(text, sizeof text, "text");
  char* grown = reallocarray(NULL, 2, 4);
  memcpy(grown, text, sizeof text);
  grown = reallocarray(grown, 5000, 4);
  char* moved = mempcpy(grown + 100, grown, 4) - 4;
  memmove(moved + 1, moved, 4);
  if (memcmp(moved + 1, "data", 4) == 0) return 1;
  if (memchr(moved, 'k', 4) == moved + 3) return 2;
  memset(moved, text[0], 3);
  if (moved[2] == 'z') return 3;
  return 0;
}
