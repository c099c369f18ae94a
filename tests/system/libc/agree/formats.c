#include <stdio.h>

#include "agree.h"

/* The same text and size from both. */
#define FORMAT(...)                                                  \
  do {                                                               \
    char model[80], library[80];                                     \
    memset(model, 'x', sizeof model);                                \
    memset(library, 'x', sizeof library);                            \
    int a = snprintf(model, sizeof model, __VA_ARGS__);              \
    int b = REAL(snprintf)(library, sizeof library, __VA_ARGS__);    \
    MUST(a == b && REAL(memcmp)(model, library, sizeof model) == 0); \
  } while (0)

#define SCAN(format, type)                                                            \
  do {                                                                                \
    type model[2], library[2];                                                        \
    int model_used = -1, library_used = -1;                                           \
    memset(model, 7, sizeof model);                                                   \
    memset(library, 7, sizeof library);                                               \
    int a = sscanf(text, format "%n", &model[0], &model[1], &model_used);             \
    int b = REAL(sscanf)(text, format "%n", &library[0], &library[1], &library_used); \
    MUST(a == b && model_used == library_used);                                       \
    MUST(REAL(memcmp)(model, library, sizeof model) == 0);                            \
  } while (0)

int main(void) {
  char text[8];
  int number = plumb_symbolic_int("number");
  short width = plumb_symbolic_short("width");
  plumb_symbolic(text, sizeof text, "text");
  text[7] = 0;
  width %= 12;
  FORMAT("%d|%5d|%-6i|%+.3d", number, number, number, number);
  FORMAT("%u %x %#X %o", number, number, number, number);
  FORMAT("%s|%8s|%-9s|%.3s|%c", text, text, text, text, text[0]);
  FORMAT("%*d|%.*s|%0*x", width, number, width, text, width, number);
  FORMAT("%hhd %hu %ld %lld", number, number, (long)number, (long long)number);
  FORMAT("%.2f %g %e %Lf", 1.5, 0.1, 1e100, 2.25L);
  SCAN("%d,%d", int);
  SCAN("%i%i", int);
  SCAN("%3x %u", unsigned);
  SCAN("%lf%lf", double);
  return 0;
}
