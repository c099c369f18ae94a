// purpose: one more entry than a global array of structures has
// defect: array-out-of-bounds line 10
#include <string.h>

struct entry { char name[8]; int value; };
static struct entry table[3];
static int used;

static void add(const char *name, int value) {
  table[used].value = value;
  strcpy(table[used++].name, name);
}

int main(void) {
  add("one", 1);
  add("two", 2);
  add("three", 3);
#ifndef FIXED
  add("four", 4);
#endif
  return 0;
}
