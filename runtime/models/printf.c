// The functions of the printf family that write to streams; the engine is format.c. The checked variants are what
// _FORTIFY_SOURCE calls.

#include <stdarg.h>

#include "format.h"
#include "stream.h"

static int write_stream(void* stream, const char* bytes, size_t size) {
  return plumb_stream_write(stream, bytes, size) == size;
}

int plumb_format_stream(FILE* stream, const char* format, va_list arguments) {
  struct plumb_sink sink;
  sink.memory = NULL;
  sink.room = 0;
  sink.stream = stream;
  sink.write = write_stream;
  sink.total = 0;
  sink.failed = 0;
  return plumb_format(&sink, format, arguments);
}

int vfprintf(FILE* restrict stream, const char* restrict format, va_list arguments) {
  return plumb_format_stream(stream, format, arguments);
}

int vprintf(const char* restrict format, va_list arguments) { return plumb_format_stream(stdout, format, arguments); }

int vdprintf(int descriptor, const char* restrict format, va_list arguments) {
  FILE stream;
  stream.flags = StreamWrites;
  stream.descriptor = descriptor;
  return plumb_format_stream(&stream, format, arguments);
}

int __vfprintf_chk(FILE* restrict stream, int flag, const char* restrict format, va_list arguments) {
  (void)flag;
  return plumb_format_stream(stream, format, arguments);
}

int __vprintf_chk(int flag, const char* restrict format, va_list arguments) {
  (void)flag;
  return plumb_format_stream(stdout, format, arguments);
}

int __vdprintf_chk(int descriptor, int flag, const char* restrict format, va_list arguments) {
  (void)flag;
  return vdprintf(descriptor, format, arguments);
}

// Calls the variant that takes a va_list with the arguments behind `format`.
#define FORWARD(call)          \
  va_list arguments;           \
  va_start(arguments, format); \
  int result = call;           \
  va_end(arguments);           \
  return result

int printf(const char* restrict format, ...) { FORWARD(plumb_format_stream(stdout, format, arguments)); }
int fprintf(FILE* restrict stream, const char* restrict format, ...) {
  FORWARD(plumb_format_stream(stream, format, arguments));
}
int dprintf(int descriptor, const char* restrict format, ...) { FORWARD(vdprintf(descriptor, format, arguments)); }

int __printf_chk(int flag, const char* restrict format, ...) { FORWARD(__vprintf_chk(flag, format, arguments)); }
int __fprintf_chk(FILE* restrict stream, int flag, const char* restrict format, ...) {
  FORWARD(__vfprintf_chk(stream, flag, format, arguments));
}
int __dprintf_chk(int descriptor, int flag, const char* restrict format, ...) {
  FORWARD(__vdprintf_chk(descriptor, flag, format, arguments));
}
