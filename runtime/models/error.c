// <error.h> and <err.h>: messages on standard error, perhaps followed by the end of the program. The program's name is
// not known to the models; it stands as "program".

#include <stdarg.h>

#include "host.h"
#include "stream.h"
#include "text.h"

int fprintf(FILE* restrict stream, const char* restrict format, ...);

char* program_invocation_name = (char*)"program";
char* program_invocation_short_name = (char*)"program";
char* __progname = (char*)"program";
unsigned error_message_count;

static void message(const char* format, va_list arguments, int number) {
  if (format != NULL) plumb_format_stream(stderr, format, arguments);
  if (number != 0) fprintf(stderr, format != NULL ? ": %s" : "%s", strerror(number));
  fprintf(stderr, "\n");
}

void error(int status, int number, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fprintf(stderr, "%s: ", program_invocation_name);
  message(format, arguments, number);
  va_end(arguments);
  ++error_message_count;
  if (status != 0) exit(status);
}

void error_at_line(int status, int number, const char* file, unsigned line, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fprintf(stderr, "%s:%s:%u: ", program_invocation_name, file, line);
  message(format, arguments, number);
  va_end(arguments);
  ++error_message_count;
  if (status != 0) exit(status);
}

// err and warn, with the text of errno and without (x).
#define MESSAGE(number)                \
  va_list arguments;                   \
  va_start(arguments, format);         \
  int saved = number;                  \
  fprintf(stderr, "%s: ", __progname); \
  message(format, arguments, saved);   \
  va_end(arguments)

void warn(const char* format, ...) { MESSAGE(errno); }
void warnx(const char* format, ...) { MESSAGE(0); }
_Noreturn void err(int status, const char* format, ...) {
  MESSAGE(errno);
  exit(status);
}
_Noreturn void errx(int status, const char* format, ...) {
  MESSAGE(0);
  exit(status);
}
