// The functions of the printf family that write to memory; the engine is format.c. The checked variants are what
// _FORTIFY_SOURCE calls.

#include <stdarg.h>

#include "format.h"
#include "host.h"

int plumb_format_memory(char* memory, size_t room, const char* format, va_list arguments) {
  struct plumb_sink sink;
  sink.memory = memory;
  sink.room = room > 0 ? room - 1 : 0;
  sink.stream = NULL;
  sink.write = NULL;
  sink.total = 0;
  sink.failed = 0;
  int result = plumb_format(&sink, format, arguments);
  if (room > 0) memory[sink.total < sink.room ? sink.total : sink.room] = 0;
  return result;
}

int vsnprintf(char* restrict memory, size_t room, const char* restrict format, va_list arguments) {
  return plumb_format_memory(memory, room, format, arguments);
}

int vsprintf(char* restrict memory, const char* restrict format, va_list arguments) {
  return plumb_format_memory(memory, (size_t)-1, format, arguments);
}

int vasprintf(char** restrict result, const char* restrict format, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  int size = plumb_format_memory(NULL, 0, format, again);
  va_end(again);
  *result = NULL;
  if (size < 0) return -1;
  *result = malloc((size_t)size + 1);
  if (*result == NULL) return -1;
  return plumb_format_memory(*result, (size_t)size + 1, format, arguments);
}

int __vsnprintf(char* restrict memory, size_t room, const char* restrict format, va_list arguments) {
  return plumb_format_memory(memory, room, format, arguments);
}

int __vsnprintf_chk(char* restrict memory, size_t room, int flag, size_t known, const char* restrict format,
                    va_list arguments) {
  (void)flag;
  if (known < room) abort();
  return plumb_format_memory(memory, room, format, arguments);
}

int __vsprintf_chk(char* restrict memory, int flag, size_t known, const char* restrict format, va_list arguments) {
  (void)flag;
  int size = plumb_format_memory(memory, known, format, arguments);
  if (size >= 0 && (size_t)size >= known) abort();
  return size;
}

int __vasprintf_chk(char** restrict result, int flag, const char* restrict format, va_list arguments) {
  (void)flag;
  return vasprintf(result, format, arguments);
}

// Calls the variant that takes a va_list with the arguments behind `format`.
#define FORWARD(call)          \
  va_list arguments;           \
  va_start(arguments, format); \
  int result = call;           \
  va_end(arguments);           \
  return result

int sprintf(char* restrict memory, const char* restrict format, ...) {
  FORWARD(plumb_format_memory(memory, (size_t)-1, format, arguments));
}
int snprintf(char* restrict memory, size_t room, const char* restrict format, ...) {
  FORWARD(plumb_format_memory(memory, room, format, arguments));
}
int asprintf(char** restrict to, const char* restrict format, ...) { FORWARD(vasprintf(to, format, arguments)); }
int __asprintf(char** restrict to, const char* restrict format, ...) { FORWARD(vasprintf(to, format, arguments)); }

int __sprintf_chk(char* restrict memory, int flag, size_t known, const char* restrict format, ...) {
  FORWARD(__vsprintf_chk(memory, flag, known, format, arguments));
}
int __snprintf_chk(char* restrict memory, size_t room, int flag, size_t known, const char* restrict format, ...) {
  FORWARD(__vsnprintf_chk(memory, room, flag, known, format, arguments));
}
int __asprintf_chk(char** restrict to, int flag, const char* restrict format, ...) {
  FORWARD(__vasprintf_chk(to, flag, format, arguments));
}
