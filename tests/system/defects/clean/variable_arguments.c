// purpose: variable arguments are read in the callee and in what it hands its list to
#include <plumb/plumb.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static int sum(int count, ...) {
  va_list list, again;
  int total = 0;
  va_start(list, count);
  va_copy(again, list);
  for (int i = 0; i < count; ++i) total += va_arg(list, int);
  for (int i = 0; i < count; ++i) total += va_arg(again, int);
  va_end(again);
  va_end(list);
  return total;
}

static char* text_of(const char* format, ...) {
  va_list list;
  va_start(list, format);
  int length = vsnprintf(NULL, 0, format, list);
  va_end(list);
  char* text = malloc((size_t)length + 1);
  if (text == NULL) return NULL;
  va_start(list, format);
  vsprintf(text, format, list);
  va_end(list);
  return text;
}

int main(void) {
  int count = plumb_symbolic_uchar("count") % 4;
  int total = sum(count, 1, 2, 3);
  char* text = text_of("%d %s %5.2f %c %ld", total, "words", 2.5, 'x', 123456789L);
  free(text);
  return total > 6;
}
