// purpose: rows of a matrix are swapped and released; the search for a pivot goes on behind the last row
// seeded: A=1 C=1 D=1
#include <plumb/plumb.h>
#include <stdlib.h>

enum { SIZE = 3 };

struct matrix {
  int* rows[SIZE];
};

static int pivot(const struct matrix* m, int column) {
  int row = column;
  while (row <= SIZE && m->rows[row][column] == 0) ++row;
  return row;
}

static int eliminate(struct matrix* m, int column) {
  int row = pivot(m, column);
  if (row >= SIZE) return 0;
  int* best = m->rows[row];
  m->rows[row] = m->rows[column];
  m->rows[column] = best;
  for (int i = column + 1; i < SIZE; ++i) {
    int factor = m->rows[i][column] / best[column];
    for (int k = column; k < SIZE; ++k) m->rows[i][k] -= factor * best[k];
  }
  return 100 / (best[column] - 13);
}

int main(void) {
  struct matrix m;
  signed char values[SIZE];
  plumb_symbolic(values, sizeof values, "values");
  for (int i = 0; i < SIZE; ++i) {
    m.rows[i] = calloc(SIZE, sizeof(int));
    if (m.rows[i] == NULL) return 1;
    m.rows[i][0] = values[i];
    m.rows[i][i] += 1;
  }
  int result = eliminate(&m, 0);
  if (values[2] == 99) {
    free(m.rows[1]);
    m.rows[1] = m.rows[2];
  }
  for (int i = 0; i < SIZE; ++i) free(m.rows[i]);
  return result;
}
