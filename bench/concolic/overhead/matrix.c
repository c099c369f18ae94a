// Products of matrices of integers.
#include "overhead.h"

enum { kSize = 120, kRounds = 100 };

struct matrix {
  int rows, columns;
  int cells[kSize][kSize];
};

static struct matrix a, b, c;

static void multiply(const struct matrix *left, const struct matrix *right, struct matrix *product) {
  for (int i = 0; i < left->rows; i++)
    for (int j = 0; j < right->columns; j++) {
      int sum = 0;
      for (int k = 0; k < left->columns; k++) sum += left->cells[i][k] * right->cells[k][j];
      product->cells[i][j] = sum;
    }
}

static unsigned work(unsigned start, unsigned input) {
  a.rows = a.columns = b.rows = b.columns = c.rows = c.columns = kSize - 1;
  for (int i = 0; i < kSize; i++)
    for (int j = 0; j < kSize; j++) {
      a.cells[i][j] = i + (int)start * j;
      b.cells[i][j] = i - (int)start * j;
    }
  a.cells[kSize - 1][kSize - 1] = (int)input;
  for (int round = 0; round < kRounds; round++) {
    multiply(&a, &b, &c);
    a.cells[round][0] += c.cells[round][1] & 3;
  }
  return (unsigned)c.cells[7][9];
}
