// Products of matrices of doubles.
#include <stdio.h>

enum { N = 150 };
static double a[N][N], b[N][N], c[N][N];

int main(void) {
  for (int i = 0; i < N; ++i) {
    for (int j = 0; j < N; ++j) {
      a[i][j] = i - 2 * j;
      b[i][j] = i * j % 7;
    }
  }
  for (int i = 0; i < N; ++i) {
    for (int j = 0; j < N; ++j) {
      double sum = 0;
      for (int k = 0; k < N; ++k) sum += a[i][k] * b[k][j];
      c[i][j] = sum;
    }
  }
  double trace = 0;
  for (int i = 0; i < N; ++i) trace += c[i][i];
  printf("%.17g\n", trace);
  return 0;
}
