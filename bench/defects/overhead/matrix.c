// Products of matrices: by rows, of blocks in arrays of the stack, and with a vector.
#include <stdio.h>
#include <stdlib.h>

#include "overhead.h"

enum { BLOCK = 16 };

static void product(const double* a, const double* b, double* c, long n) {
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < n; ++j) {
      double sum = 0;
      for (long k = 0; k < n; ++k) sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
}

static void product_of_blocks(const double* a, const double* b, double* c, long n) {
  double left[BLOCK][BLOCK], right[BLOCK][BLOCK];
  for (long i = 0; i < n; i += BLOCK)
    for (long j = 0; j < n; j += BLOCK)
      for (long k = 0; k < n; k += BLOCK) {
        for (int x = 0; x < BLOCK; ++x)
          for (int y = 0; y < BLOCK; ++y) {
            left[x][y] = a[(i + x) * n + k + y];
            right[x][y] = b[(k + x) * n + j + y];
          }
        for (int x = 0; x < BLOCK; ++x)
          for (int y = 0; y < BLOCK; ++y) {
            double sum = 0;
            for (int z = 0; z < BLOCK; ++z) sum += left[x][z] * right[z][y];
            c[(i + x) * n + j + y] += sum;
          }
      }
}

int main(int argc, char** argv) {
  long n = (argc > 1 ? atol(argv[1]) : 752) / BLOCK * BLOCK;
  double* a = malloc((size_t)(n * n) * sizeof *a);
  double* b = malloc((size_t)(n * n) * sizeof *b);
  double* c = malloc((size_t)(n * n) * sizeof *c);
  double sum = 0;
  for (long i = 0; i < n * n; ++i) {
    a[i] = (double)(i % 17) - 8;
    b[i] = (double)(i % 13) - 6;
  }
  product(a, b, c, n);
  product_of_blocks(a, b, c, n);
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < n; ++j) sum += c[i * n + j] * (double)((i + j) % 5);
  printf("%.0f\n", sum);
  free(a);
  free(b);
  free(c);
  tell_seconds();
  return 0;
}
