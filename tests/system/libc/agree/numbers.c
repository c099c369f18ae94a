#include <inttypes.h>

#include "agree.h"

enum { Size = 12 };

/* Value, end and errno of a conversion. */
#define CONVERT(type, function, ...)                                  \
  do {                                                                \
    char *model_end = NULL, *library_end = NULL;                      \
    errno = 0;                                                        \
    type model = function(text, &model_end __VA_ARGS__);              \
    int model_error = errno;                                          \
    errno = 0;                                                        \
    type library = REAL(function)(text, &library_end __VA_ARGS__);    \
    MUST(model_end == library_end && model_error == errno);           \
    MUST(model == library || (model != model && library != library)); \
  } while (0)

int main(void) {
  char text[Size];
  plumb_symbolic(text, sizeof text, "text");
  unsigned char kind = plumb_symbolic_uchar("kind");
  text[Size - 1] = 0;
  static const int bases[] = {0, 2, 8, 10, 16, 36};
  int base = bases[0];
  for (unsigned i = 1; i < 6; ++i) {
    if (kind % 6 == i) base = bases[i];
  }
  CONVERT(long, strtol, , base);
  CONVERT(unsigned long, strtoul, , base);
  CONVERT(long long, strtoll, , base);
  CONVERT(unsigned long long, strtoull, , base);
  CONVERT(uintmax_t, strtoumax, , base);
  SAME(atoi, text);
  CONVERT(float, strtof, );
  CONVERT(double, strtod, );
  CONVERT(long double, strtold, );
  return 0;
}
