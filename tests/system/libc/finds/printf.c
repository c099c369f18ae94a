// Numbers and text that are formatted into memory, also through a function with variadic arguments of its own.
#include <plumb/plumb.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char* format(const char* text, ...) {
  char* made = NULL;
  va_list arguments;
  va_start(arguments, text);
  int size = vasprintf(&made, text, arguments);
  va_end(arguments);
  made[size] = 0;
  return made;
}

int main(void) {
  int number = plumb_symbolic_int("number");
  char text[4], made[40];
  plumb_symbolic(text, sizeof text, "text");
  text[3] = 0;
  snprintf(made, sizeof made, "%d", number);
  if (strcmp(made, "-7") == 0) return 1;
  snprintf(made, sizeof made, "%#x", (unsigned)number);
  if (strcmp(made, "0xbeef") == 0) return 2;
  if (strcmp(format("%s=%c", text, text[0]), "ab=a") == 0) return 3;
  return 0;
}
