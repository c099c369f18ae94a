// purpose: a table of pointers is released and what its entries point to is not
// defect: leak line 12
// input: is_filled=1
#include <plumb/plumb.h>
#include <stdlib.h>

int main(void) {
  int** table = calloc(4, sizeof *table);
  if (table == NULL) return 1;
  int** slot = table + 2;
  if (plumb_symbolic_int("is_filled") == 1) {
    *slot = malloc(sizeof **slot);
    if (*slot != NULL) **slot = 5;
  }
  int found = *slot != NULL && **slot == 5;
#ifdef FIXED
  free(*slot);
#endif
  free(table);
  return found;
}
