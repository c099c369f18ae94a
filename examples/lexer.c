// A lexer in an endless loop, as generators make them: nine brackets and letters in the right order, one an iteration,
// and then the word "reset" lead to the label L. Behind it a line of settings is read and checked, and an assertion fails for some lines.
//
//     plumb test examples/lexer.c
//
// Without plumb the inputs come from standard input: one byte and six bytes in turn.
#include <assert.h>
#include <plumb/plumb.h>
#include <stdlib.h>

enum { kFields = 4, kLimit = 240 };

struct settings {
  unsigned char field[kFields];
  unsigned char count;
  unsigned char is_escaped;
};

static void input(void* memory, size_t size, const char* name) {
#ifdef __PLUMB__
  plumb_symbolic(memory, size, name);
#else
  (void)name;
  if (fread(memory, 1, size, stdin) != size) exit(0);
#endif
}

static int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

// Reads fields like "3a;f;07" until a full stop. Returns 0 if the line makes no sense.
static int read_settings(struct settings* settings, const char* line, int length) {
  int value = 0, digits = 0;
  for (int i = 0; i < length; i++) {
    char c = line[i];
    if (c == '!' && !settings->is_escaped) {
      settings->is_escaped = 1;
    } else if (c == ';' || c == '.') {
      if (digits == 0 || settings->count == kFields) return 0;
      settings->field[settings->count++] = (unsigned char)value;
      value = digits = 0;
      if (c == '.') return 1;
    } else {
      int d = digit(c);
      if (d < 0 || digits == 2) return 0;
      value = 16 * value + d;
      digits++;
    }
  }
  return 0;
}

static int apply(const struct settings* settings) {
  int level = 0;
  for (int i = 0; i < settings->count; i++) level += settings->field[i];
  if (settings->is_escaped && settings->count == 3) level += settings->field[0] & 0x0f;
  // Some three fields go beyond what the readers of the level rely on.
  if (settings->count == 3 && settings->is_escaped) assert(level <= 3 * kLimit);
  return level;
}

static int foo(void) {
  char c, s[6];
  int state = 0;

  while (1) {
    input(&c, sizeof c, "c");
    input(s, sizeof s, "s");
    if (c == '[' && state == 0) state = 1;
    if (c == '(' && state == 1) state = 2;
    if (c == '{' && state == 2) state = 3;
    if (c == '~' && state == 3) state = 4;
    if (c == 'a' && state == 4) state = 5;
    if (c == 'x' && state == 5) state = 6;
    if (c == '}' && state == 6) state = 7;
    if (c == ')' && state == 7) state = 8;
    if (c == ']' && state == 8) state = 9;
    if (s[0] == 'r' && s[1] == 'e' && s[2] == 's' && s[3] == 'e' && s[4] == 't' && s[5] == 0 && state == 9) goto L;
  }
L: {
  char line[12];
  struct settings settings = {{0}, 0, 0};
  input(line, sizeof line, "line");
  if (!read_settings(&settings, line, (int)sizeof line)) return 1;
  int level = apply(&settings);
  if (level > kLimit) return 2;
  if (level == 0) return 3;
  return 0;
}
}

int main(void) { return foo(); }
