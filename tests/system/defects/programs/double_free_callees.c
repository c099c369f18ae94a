// purpose: a function takes over what it is given only if it succeeds, and releases it in both cases
// defect: double-free line 24
// input: kind=7
#include <plumb/plumb.h>
#include <stdlib.h>

static char* owned;

static int take(char* item, int kind) {
  if (kind > 5) {
#ifndef FIXED
    free(item);
#endif
    return 0;
  }
  owned = item;
  return 1;
}

int main(void) {
  char* item = malloc(16);
  if (item == NULL) return 1;
  int is_taken = take(item, plumb_symbolic_int("kind"));
  if (!is_taken) free(item);
  free(owned);
  return 0;
}
