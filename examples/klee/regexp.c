/*
 * KLEE's second tutorial: a matcher of small regular expressions (a character, '.', '*', '^' and '$'), in the manner of
 * Rob Pike's. The expression is an input without a zero at its end, so the matcher reads beyond it, at two places.
 *
 *     plumb test examples/klee/regexp.c --check-memory --regions off --until time --timeout 10
 *
 * With -DTERMINATED, as the tutorial repairs it, nothing is found.
 */
#include <klee/klee.h>

static int match_here(const char* expression, const char* text);

static int match_star(int c, const char* expression, const char* text) {
  do {
    if (match_here(expression, text)) return 1;
  } while (*text != '\0' && (*text++ == c || c == '.'));
  return 0;
}

static int match_here(const char* expression, const char* text) {
  if (expression[0] == '\0') return 1;
  if (expression[1] == '*') return match_star(expression[0], expression + 2, text);
  if (expression[0] == '$' && expression[1] == '\0') return *text == '\0';
  if (*text != '\0' && (expression[0] == '.' || expression[0] == *text)) return match_here(expression + 1, text + 1);
  return 0;
}

static int match(const char* expression, const char* text) {
  if (expression[0] == '^') return match_here(expression + 1, text);
  do {
    if (match_here(expression, text)) return 1;
  } while (*text++ != '\0');
  return 0;
}

enum { kSize = 7 };

int main(void) {
  char expression[kSize];
  klee_make_symbolic(expression, sizeof expression, "expression");
#ifdef TERMINATED
  klee_assume(expression[kSize - 1] == '\0');
#endif
  match(expression, "hello");
  return 0;
}
