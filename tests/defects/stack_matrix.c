// purpose: rows and columns exchanged in a two-dimensional array
// defect: array-out-of-bounds line 11
int main(void) {
  int grid[3][5] = {{0}};
  int total = 0;
  for (int i = 0; i < 5; ++i) {
    for (int j = 0; j < 3; ++j) {
#ifdef FIXED
      total += grid[j][i];
#else
      total += grid[i][j];
#endif
    }
  }
  return total;
}
