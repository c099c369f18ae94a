/* Variadic arguments of all kinds, in registers and on the stack: each comparison of one is a branch on input. */
#include <plumb/plumb.h>
#include <stdarg.h>

struct pair {
  long a, b;
};
struct reals {
  double a, b;
};

static int integers(int count, ...) {
  va_list list;
  int hits = 0;
  int i;
  va_start(list, count);
  for (i = 0; i < count; ++i)
    if (va_arg(list, int) == 1000 + i) ++hits;
  va_end(list);
  return hits;
}

static int mixed(const char* kinds, double fixed, ...) {
  va_list list;
  int hits = 0;
  va_start(list, fixed);
  for (; *kinds != 0; ++kinds) {
    if (*kinds == 'i' && va_arg(list, int) == 77) ++hits;
    if (*kinds == 'l' && va_arg(list, long long) == 77777777777LL) ++hits;
    if (*kinds == 'd' && va_arg(list, double) > 2.5) ++hits;
    if (*kinds == 'p' && *va_arg(list, int*) == 55) ++hits;
    if (*kinds == 'r' && va_arg(list, struct reals).b > 0) ++hits;
    if (*kinds == 's') {
      struct pair pair = va_arg(list, struct pair);
      if (pair.a == 5) ++hits;
      if (pair.b == 6) ++hits;
    }
  }
  va_end(list);
  return hits;
}

int main(void) {
  int x = plumb_symbolic_int("x");
  int z = plumb_symbolic_int("z");
  long long y;
  struct pair pair;
  struct reals reals = {1, 2};
  plumb_symbolic(&y, sizeof y, "y");
  pair.a = x;
  pair.b = z;
  return integers(12, x, 2, z, x, 4, z, 7, x, 1, z, 3, x + z) +
         mixed("sildpirlidlilp", 1.0, pair, x, y, 3.5, &x, z, reals, y, x, 1.5, y, z, y, &z);
}
