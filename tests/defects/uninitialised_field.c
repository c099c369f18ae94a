// purpose: a field of an object from the heap is read before it is written; its padding, bit-fields and copies are not
// checks: default,uninitialised
// defect: uninitialised-read line 32
#include <stdlib.h>
#include <string.h>

struct options {
  char kind;
  int level;
  unsigned wide : 3;
  unsigned deep : 2;
  unsigned rest : 27;
};

static struct options *make(void) {
  struct options *made = malloc(sizeof *made);
  if (made == NULL) exit(1);
  made->kind = 'a';
  made->wide = 5;
#ifdef FIXED
  made->level = 2;
#endif
  return made;
}

int main(void) {
  struct options *first = make();
  struct options copy = *first, other;
  memcpy(&other, &copy, sizeof other);
  free(first);
  if (other.kind != 'a' || other.wide != 5) return 1;
  if (other.level > 1)
    return 0;
  return 0;
}
