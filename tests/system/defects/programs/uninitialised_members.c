// purpose: a struct of the heap has a member that only one kind of entry sets
// defect: uninitialised-read line 22
// checks: default,uninitialised
// input: kind=1
#include <plumb/plumb.h>
#include <stdlib.h>

struct entry {
  int kind, weight;
};

int main(void) {
#ifdef FIXED
  struct entry* entry = calloc(1, sizeof *entry);
#else
  struct entry* entry = malloc(sizeof *entry);
#endif
  if (entry == NULL) return 1;
  entry->kind = plumb_symbolic_int("kind");
  if (entry->kind != 1) entry->weight = 5;
  int code = 0;
  if (entry->weight > 3) code = 2;
  free(entry);
  return code;
}
