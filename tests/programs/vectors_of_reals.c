// purpose: vectors of reals and wide vectors: arithmetic, comparison, conversion, reduction in loops
#include <stdio.h>
typedef float f4 __attribute__((vector_size(16)));
typedef double d2 __attribute__((vector_size(16)));
typedef int i8 __attribute__((vector_size(32)));
typedef long long l4 __attribute__((vector_size(32)));
typedef unsigned short h16 __attribute__((vector_size(32)));
static f4 scale(f4 v, float by) { return v * by; }
int main(void) {
  f4 a = {1, 2, 3, 4}, b = {0.5f, -0.25f, 8, 1e10f};
  f4 c = scale(a + b, 2) / a - b;
  printf("%g %g %g %g\n", (double)c[0], (double)c[1], (double)c[2], (double)c[3]);
  d2 d = {1.5, -2.5};
  d = -d * d + 1;
  printf("%g %g\n", d[0], d[1]);
  __attribute__((vector_size(16))) int less = a < b;
  printf("%d %d %d %d\n", less[0], less[1], less[2], less[3]);
  i8 x = {1, 2, 3, 4, 5, 6, 7, 8}, y = x * x - (x >> 1);
  l4 wide = (l4)y;
  h16 halves = (h16)x;
  long long sum = 0;
  for (int i = 0; i < 4; ++i) sum ^= wide[i];
  for (int i = 0; i < 16; ++i) sum += halves[i] * i;
  printf("%lld %d\n", sum, y[7]);
  _Bool flags[8];
  for (int i = 0; i < 8; ++i) flags[i] = (y > 10)[i];
  int count = 0;
  for (int i = 0; i < 8; ++i) count += flags[i];
  return count;
}
