#pragma once

// The printf engine: a sink for bytes, one conversion specification, and the conversion of floating-point numbers.

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "length.h"

enum { SinkChunk = 256 };

/// Takes bytes either into `memory`, of which at most `room` are stored, or, if there is a `write`, in chunks to
/// `stream` with it.
struct plumb_sink {
  char* memory;
  size_t room;
  void* stream;
  int (*write)(void* stream, const char* bytes, size_t size);  // 0 if it fails
  size_t total;                                                // bytes taken, stored or not
  int failed;
  char chunk[SinkChunk];
};

void plumb_put(struct plumb_sink* sink, char byte);
void plumb_put_text(struct plumb_sink* sink, const char* text, size_t size);
void plumb_pad(struct plumb_sink* sink, char byte, long long count);  // nothing for a negative count

struct plumb_specification {
  int left, plus, space, alternate, zero;
  int width;                               // 0 without one
  int precision;                           // -1 without one
  int argument;                            // the place of the argument if it is given as %3$d; else 0
  int width_argument, precision_argument;  // likewise for * (-1: the next argument; 0: no *)
  enum plumb_length length;
  char conversion;  // 0 where the format ends too early
};

/// Parses what follows a percent sign and gives where it ends.
const char* plumb_parse_specification(const char* format, struct plumb_specification* specification);

/// Arguments of printf; `format` tells the types of those before a numbered one.
struct plumb_arguments {
  va_list rest;
  va_list start;
  const char* format;
};

/// The next argument, or the numbered one, of the type that the specification asks for; integers are not yet narrowed.
unsigned long long plumb_fetch_integer(struct plumb_arguments* arguments,
                                       const struct plumb_specification* specification);
int plumb_is_long_double(const struct plumb_specification* specification);
double plumb_fetch_double(struct plumb_arguments* arguments, const struct plumb_specification* specification);
long double plumb_fetch_long_double(struct plumb_arguments* arguments, const struct plumb_specification* specification);
/// An int for * as width or precision.
int plumb_fetch_star(struct plumb_arguments* arguments, int argument);

/// Writes the next argument by %e, %f, %g or %a. Beside a C library that one does the work (native/format_real.c).
void plumb_format_real(struct plumb_sink* sink, const struct plumb_specification* specification,
                       struct plumb_arguments* arguments);
/// Writes sign or prefix, `body_size` bytes that `body` makes afterwards, and padding around them: gives the padding
/// that is due on the right. Zeros go between prefix and body.
long long plumb_open_field(struct plumb_sink* sink, const struct plumb_specification* specification, const char* prefix,
                           long long body_size, int zeros);

/// The engine: gives the number of bytes, or -1 with errno.
int plumb_format(struct plumb_sink* sink, const char* format, va_list arguments);
/// To memory, with a terminating zero if `room` is not 0.
int plumb_format_memory(char* memory, size_t room, const char* format, va_list arguments);
