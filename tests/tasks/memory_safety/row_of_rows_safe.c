// Rows of a table on the heap, each allocated and freed.
#include <stdlib.h>

int main(void) {
  int *rows[3];
  for (int i = 0; i < 3; i++) rows[i] = malloc(2 * sizeof(int));
  for (int i = 0; i < 3; i++)
    if (rows[i]) rows[i][i % 2] = i;
  for (int i = 0; i < 3; i++) free(rows[i]);
  return 0;
}
