// purpose: arrays of variable length, of two dimensions, as parameters, in loops; alloca
#include <alloca.h>
#include <stdio.h>
#include <string.h>

static int trace(int n, int matrix[n][n]) {
  int total = 0;
  for (int i = 0; i < n; ++i) total += matrix[i][i];
  return total;
}

static size_t rows(int n, int m) {
  int grid[n][m];
  memset(grid, 0, sizeof grid);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < m; ++j) grid[i][j] = i * m + j;
  }
  int(*last)[m] = &grid[n - 1];
  return sizeof grid / sizeof grid[0] * 1000 + (size_t)(*last)[m - 1];
}

static int many(void) {
  int total = 0;
  for (int round = 0; round < 1000; ++round) {
    char block[round % 37 + 1];
    memset(block, round & 7, sizeof block);
    total += block[sizeof block - 1];
    if (round % 5 == 0) continue;
    char *more = alloca((size_t)(round % 11) + 1);
    more[round % 11] = 1;
    total += more[round % 11];
  }
  return total;
}

static char *join(char *out, const char *a, const char *b) {
  char *text = alloca(strlen(a) + strlen(b) + 1);
  strcpy(text, a);
  strcat(text, b);
  return strcpy(out, text);
}

int main(void) {
  for (int n = 1; n < 6; ++n) {
    int matrix[n][n];
    for (int i = 0; i < n * n; ++i) matrix[i / n][i % n] = i;
    printf("%d %zu %zu\n", trace(n, matrix), sizeof matrix, rows(n, n + 2));
  }
  char out[32];
  printf("%d %s\n", many(), join(out, "left", "right"));
  return 0;
}
