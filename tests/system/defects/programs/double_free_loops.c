// purpose: rows of a table may share a line, which is released once for every row
// defect: double-free line 20
// input: same=2
#include <plumb/plumb.h>
#include <stdlib.h>

int main(void) {
  char* rows[4];
  unsigned same = plumb_symbolic_uint("same");
  for (unsigned i = 0; i < 4; ++i) {
    if (i > 0 && i == same)
      rows[i] = rows[i - 1];
    else
      rows[i] = malloc(16);
  }
  for (unsigned i = 0; i < 4; ++i) {
#ifdef FIXED
    if (i > 0 && i == same) continue;
#endif
    free(rows[i]);
  }
  return 0;
}
