// purpose: complex arithmetic as clang takes it apart
// flags: -ffast-math -fno-finite-math-only
#include <complex.h>
#include <stdio.h>

static double complex square(double complex z) { return z * z; }
static float complex rotate(float complex z) { return z * I; }

struct pair { double complex a; float complex b; };

int main(void) {
  double complex z = 1 + 2 * I, w = 3 - I;
  z += w;
  printf("%g %g\n", creal(z), cimag(z));
  z = square(z);
  printf("%g %g\n", creal(z), cimag(z));
  float complex f = rotate(2 - 3 * I);
  printf("%g %g\n", (double)crealf(f), (double)cimagf(f));
  double complex c = conj(w) - 2;
  printf("%g %g %d\n", creal(c), cimag(c), c == 1 + I);
  double complex table[3] = {1, I, -1};
  double complex sum = 0;
  for (int i = 0; i < 3; ++i) sum += table[i] * (i + 1);
  printf("%g %g\n", creal(sum), cimag(sum));
  struct pair p = {z, f};
  struct pair q = p;
  q.a -= 1;
  printf("%g %g\n", creal(q.a), (double)cimagf(q.b));
  int steps = 0;
  double complex point = 0, at = -0.5 + 0.5 * I;
  while (steps < 50 && creal(point) * creal(point) + cimag(point) * cimag(point) < 4) {
    point = point * point + at;
    ++steps;
  }
  printf("%d\n", steps);
  return (int)cimag(square(3 + 4 * I));
}
