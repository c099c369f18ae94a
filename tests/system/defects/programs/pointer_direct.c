// purpose: one element too many passes the test of an index into a table of the heap
// defect: pointer-out-of-bounds line 17
// input: index=10
#include <plumb/plumb.h>
#include <stdlib.h>

int main(void) {
  int* squares = malloc(10 * sizeof *squares);
  if (squares == NULL) return 1;
  for (int i = 0; i < 10; ++i) squares[i] = i * i;
  int index = plumb_symbolic_int("index"), found = -1;
#ifdef FIXED
  if (index >= 0 && index < 10) {
#else
  if (index >= 0 && index <= 10) {
#endif
    found = squares[index];
  }
  free(squares);
  return found == 81 ? 2 : 0;
}
