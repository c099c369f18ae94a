// Variadic arguments in registers and on the stack, of all sizes, beside such as need room of their own.
#include <plumb/plumb.h>
#include <stdarg.h>

struct large {
  char bytes[40];
};

/* The letters say of which types the arguments are. Gives the first that is not its number. */
static int first_wrong(double fixed, const char* types, ...) {
  int number = (int)fixed;
  va_list arguments, copy;
  va_start(copy, types);
  va_copy(arguments, copy);
  for (; *types != 0; ++types) {
    ++number;
    int right;
    if (*types == 'i') {
      right = va_arg(arguments, int) == number;
    } else if (*types == 'l') {
      right = va_arg(arguments, long long) == number;
    } else if (*types == 'd') {
      right = va_arg(arguments, double) == number;
    } else if (*types == 'D') {
      right = va_arg(arguments, long double) == number;
    } else {
      right = va_arg(arguments, struct large).bytes[7] == number;
    }
    if (!right) break;
  }
  va_end(copy);
  va_end(arguments);
  return *types != 0 ? number : 0;
}

int main(void) {
  int a = plumb_symbolic_int("a"), b = plumb_symbolic_int("b"), c = plumb_symbolic_int("c");
  long long d, e;
  double f;
  struct large large = {{0}};
  plumb_symbolic(&d, sizeof d, "d");
  plumb_symbolic(&e, sizeof e, "e");
  plumb_symbolic(&f, sizeof f, "f");
  large.bytes[7] = 4;
  switch (first_wrong(0, "idDslliidilid", a, f, 3.0L, large, 5ll, d, b, 8, 9.0, 10, e, c, 13.0)) {
    case 0:
      return 1;
    case 1:
      return 2;
    case 2:
      return 3;
    case 6:
      return 4;
    case 7:
      return 5;
    case 11:
      return 6;
    default:
      return 7;
  }
}
