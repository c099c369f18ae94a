// purpose: va_copy, a va_list handed on to another function, and vprintf, vsnprintf
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static int next_of(va_list *list) { return va_arg(*list, int); }

static int twice(int count, ...) {
  va_list first, second;
  va_start(first, count);
  int head = va_arg(first, int);
  va_copy(second, first);
  int result = head;
  for (int i = 1; i < count; ++i) result = result * 10 + next_of(&first);
  for (int i = 1; i < count; ++i) result -= va_arg(second, int);
  va_end(second);
  va_end(first);
  return result;
}

static int sum_list(int count, va_list list) {
  int total = 0;
  while (count-- > 0) total += va_arg(list, int);
  return total;
}

static int sum(int count, ...) {
  va_list list;
  va_start(list, count);
  int total = sum_list(count, list);
  va_end(list);
  return total;
}

__attribute__((format(printf, 1, 2))) static int say(const char *format, ...) {
  char buffer[16];
  va_list list, again;
  va_start(list, format);
  va_copy(again, list);
  int needed = vsnprintf(buffer, sizeof buffer, format, list);
  printf("[%s] %d %zu: ", buffer, needed, strlen(buffer));
  int printed = vprintf(format, again);
  putchar('\n');
  va_end(again);
  va_end(list);
  return needed == printed;
}

int main(void) {
  printf("%d %d\n", twice(4, 1, 2, 3, 4), twice(9, 1, 2, 3, 4, 5, 6, 7, 8, 9));
  printf("%d\n", sum(10, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10));
  int good = say("%d-%s-%c", 12, "abc", 'x');
  good += say("%s", "a text that is longer than the buffer");
  good += say("%5.2f|%ld|%x", 3.14159, -9L, 255u);
  return good;
}
