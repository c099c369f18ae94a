// purpose: a counter is read for the exit code after its memory was given back
// defect: use-after-free line 18
// input: runs=3
#include <plumb/plumb.h>
#include <stdlib.h>

int main(void) {
  int* counter = malloc(sizeof *counter);
  if (counter == NULL) return 1;
  int runs = plumb_symbolic_int("runs");
  *counter = 0;
  if (runs == 3) *counter = 1;
  int last = *counter;
  free(counter);
#ifdef FIXED
  if (runs == 3) return last;
#else
  if (runs == 3) return *counter;
#endif
  return last;
}
