// purpose: a function that releases values is also given those of the table of constants
// defect: invalid-free line 20
// input: type=2 item=1
#include <plumb/plumb.h>
#include <stdlib.h>

static int constants[3] = {0, 1, 2};

struct value {
  int type;
  int* item;
};

static void drop(struct value* value) {
#ifdef FIXED
  if (value->type == 2) return;
#else
  if (value->type == 3) return;
#endif
  free(value->item);
}

static void make(struct value* value, int type, unsigned item) {
  value->type = type == 2 ? 2 : 1;
  value->item = type == 2 ? &constants[item % 3] : malloc(sizeof(int));
}

int main(void) {
  struct value value;
  make(&value, plumb_symbolic_int("type"), plumb_symbolic_uint("item"));
  drop(&value);
  return 0;
}
