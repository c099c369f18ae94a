// purpose: a text that grows; numbers need more room than was asked for, and a failed growth keeps a stale pointer
// seeded: A=1 D=1
#include <plumb/plumb.h>
#include <stdlib.h>
#include <string.h>

struct builder {
  char* text;
  unsigned length, capacity;
};

static void reserve(struct builder* b, unsigned more) {
  if (b->length + more <= b->capacity) return;
  b->capacity = b->length + more;
  char* grown = malloc(b->capacity);
  if (grown == NULL) exit(1);
  memcpy(grown, b->text, b->length);
  free(b->text);
  b->text = grown;
}

static void add_char(struct builder* b, char c) {
  reserve(b, 1);
  b->text[b->length++] = c;
}

static void add_number(struct builder* b, unsigned value) {
  reserve(b, value < 10 ? 1 : 2);
  if (value >= 100) b->text[b->length++] = (char)('0' + value / 100 % 10);
  if (value >= 10) b->text[b->length++] = (char)('0' + value / 10 % 10);
  b->text[b->length++] = (char)('0' + value % 10);
}

int main(void) {
  struct builder b = {malloc(2), 0, 2};
  if (b.text == NULL) return 1;
  unsigned value = plumb_symbolic_uchar("value");
  char sign = plumb_symbolic_char("sign");
  add_char(&b, sign == '-' ? '-' : '+');
  const char* first = b.text;
  add_number(&b, value);
  int is_negative = sign == '-' ? *first == '-' : b.text[0] == '-';
  free(b.text);
  return is_negative;
}
