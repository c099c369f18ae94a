// The functions of the scanf family; the engine is scan.c. Headers of glibc call the __isoc99 names, from 2.38 on the
// __isoc23 names, which also read binary numbers.

#include <stdarg.h>

#include "scan.h"

extern FILE* stdin;

static int scan_stream(FILE* stream, const char* format, int binary, va_list arguments) {
  struct plumb_input input = {stream, NULL, 0};
  if (!plumb_scan_knows(format)) return plumb_scan_by_library(&input, format, arguments);
  return plumb_scan(&input, format, binary, arguments);
}

static int scan_text(const char* text, const char* format, int binary, va_list arguments) {
  struct plumb_input input = {NULL, text, 0};
  if (!plumb_scan_knows(format)) return plumb_scan_by_library(&input, format, arguments);
  return plumb_scan(&input, format, binary, arguments);
}

#define FORWARD(call)          \
  va_list arguments;           \
  va_start(arguments, format); \
  int result = call;           \
  va_end(arguments);           \
  return result

#define FAMILY(prefix, binary)                                                                                    \
  int prefix##scanf(const char* restrict format, ...) { FORWARD(scan_stream(stdin, format, binary, arguments)); } \
  int prefix##fscanf(FILE* restrict stream, const char* restrict format, ...) {                                   \
    FORWARD(scan_stream(stream, format, binary, arguments));                                                      \
  }                                                                                                               \
  int prefix##sscanf(const char* restrict text, const char* restrict format, ...) {                               \
    FORWARD(scan_text(text, format, binary, arguments));                                                          \
  }                                                                                                               \
  int prefix##vscanf(const char* restrict format, va_list arguments) {                                            \
    return scan_stream(stdin, format, binary, arguments);                                                         \
  }                                                                                                               \
  int prefix##vfscanf(FILE* restrict stream, const char* restrict format, va_list arguments) {                    \
    return scan_stream(stream, format, binary, arguments);                                                        \
  }                                                                                                               \
  int prefix##vsscanf(const char* restrict text, const char* restrict format, va_list arguments) {                \
    return scan_text(text, format, binary, arguments);                                                            \
  }

FAMILY(, 0)
FAMILY(__isoc99_, 0)
FAMILY(__isoc23_, 1)
