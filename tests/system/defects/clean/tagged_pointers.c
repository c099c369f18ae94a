// purpose: a low bit of a pointer is a mark that is taken off before the access; an offset holds a distance of pointers
#include <plumb/plumb.h>
#include <stdint.h>
#include <stdlib.h>

struct cell {
  long value;
  intptr_t to_next;
};

static void* marked(void* pointer, int mark) { return (void*)((uintptr_t)pointer | (uintptr_t)mark); }
static void* plain(void* pointer) { return (void*)((uintptr_t)pointer & ~(uintptr_t)1); }

int main(void) {
  struct cell* cells = malloc(3 * sizeof *cells);
  if (cells == NULL) return 1;
  int mark = plumb_symbolic_int("mark") == 1;
  for (int i = 0; i < 3; ++i) {
    cells[i].value = i;
    cells[i].to_next = i < 2 ? (char*)&cells[i + 1] - (char*)&cells[i] : 0;
  }
  struct cell* held = marked(&cells[1], mark);
  struct cell* cell = plain(held);
  struct cell* next = (struct cell*)((char*)cell + cell->to_next);
  long value = next->value;
  if (((uintptr_t)held & 1) != 0) value += 5;
  free(cells);
  return value == 7;
}
