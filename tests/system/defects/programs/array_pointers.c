// purpose: a pointer to a row of a board is indexed by a column that is too large for the row, not for the board
// defect: array-out-of-bounds line 19
// input: row=1 column=4
#include <plumb/plumb.h>

enum { ROWS = 3, COLUMNS = 4 };

int main(void) {
  int board[ROWS][COLUMNS] = {{0}};
  unsigned row = plumb_symbolic_uint("row"), column = plumb_symbolic_uint("column");
  unsigned* place = &column;
  if (row >= ROWS) return 1;
  int(*line)[COLUMNS] = &board[row];
#ifdef FIXED
  if (*place >= COLUMNS) return 2;
#else
  if (*place > COLUMNS) return 2;
#endif
  (*line)[*place] = 7;
  return board[row][0] == 7 ? 0 : 3;
}
