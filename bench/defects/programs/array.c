// purpose: an index that one narrow range of input takes beyond an array
// seeded: A=1
#include <plumb/plumb.h>

int main(void) {
  int table[8] = {3, 1, 4, 1, 5, 9, 2, 6};
  int key = plumb_symbolic_int("key"), offset = plumb_symbolic_int("offset");
  if (offset < 0 || offset > 3) return 1;
  if (key > 1000 && key < 1006) return table[key - 1000 + offset];
  return table[offset];
}
