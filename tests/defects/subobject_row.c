// purpose: a row of a matrix is left into the next row
// defect: array-out-of-bounds line 10
static int matrix[4][4];

int main(void) {
  int total = 0;
#ifdef FIXED
  for (int j = 0; j < 4; ++j) total += matrix[1][j];
#else
  for (int j = 0; j <= 4; ++j) total += matrix[1][j];
#endif
  return total;
}
