// purpose: matrix products, transposition and determinants over integers and reals
#include <stdio.h>

enum { N = 6 };
typedef long square[N][N];

static void multiply(square out, square a, square b) {
  for (int i = 0; i < N; ++i) {
    for (int j = 0; j < N; ++j) {
      out[i][j] = 0;
      for (int k = 0; k < N; ++k) out[i][j] += a[i][k] * b[k][j];
      out[i][j] %= 10007;
    }
  }
}

static double determinant(double m[N][N]) {
  double result = 1;
  for (int c = 0; c < N; ++c) {
    int best = c;
    for (int r = c; r < N; ++r) {
      double a = m[r][c] < 0 ? -m[r][c] : m[r][c], b = m[best][c] < 0 ? -m[best][c] : m[best][c];
      if (a > b) best = r;
    }
    if (m[best][c] == 0) return 0;
    for (int k = 0; k < N && best != c; ++k) {
      double t = m[c][k];
      m[c][k] = m[best][k];
      m[best][k] = t;
    }
    if (best != c) result = -result;
    result *= m[c][c];
    for (int r = c + 1; r < N; ++r) {
      double factor = m[r][c] / m[c][c];
      for (int k = c; k < N; ++k) m[r][k] -= factor * m[c][k];
    }
  }
  return result;
}

int main(void) {
  square a, b, power;
  double real[N][N];
  for (int i = 0; i < N; ++i) {
    for (int j = 0; j < N; ++j) {
      a[i][j] = (i * 5 + j * 3) % 11;
      power[i][j] = i == j;
      real[i][j] = (double)(i * i + j * 7 % 5) + (i == j ? 3.5 : 0);
    }
  }
  for (int i = 0; i < 20; ++i) {
    multiply(b, power, a);
    for (int r = 0; r < N; ++r) {
      for (int c = 0; c < N; ++c) power[r][c] = b[c][r];
    }
  }
  for (int i = 0; i < N; ++i) printf("%ld ", power[i][i]);
  printf("\n%.12g\n", determinant(real));
  return (int)(power[2][3] % 256);
}
