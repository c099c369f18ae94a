// purpose: a recursive-descent parser and evaluator over a text, with errors through a structure
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

struct parser { const char *at; const char *error; };
static long expression(struct parser *p);

static void skip(struct parser *p) {
  while (isspace((unsigned char)*p->at)) ++p->at;
}

static int accept(struct parser *p, char c) {
  skip(p);
  if (*p->at != c) return 0;
  ++p->at;
  return 1;
}

static long primary(struct parser *p) {
  skip(p);
  if (accept(p, '-')) return -primary(p);
  if (accept(p, '(')) {
    long value = expression(p);
    if (!accept(p, ')') && !p->error) p->error = "expected )";
    return value;
  }
  if (!isdigit((unsigned char)*p->at)) {
    if (!p->error) p->error = "expected a number";
    return 0;
  }
  char *end;
  long value = strtol(p->at, &end, 0);
  p->at = end;
  return value;
}

static long term(struct parser *p) {
  long value = primary(p);
  for (;;) {
    if (accept(p, '*')) {
      value *= primary(p);
    } else if (accept(p, '/')) {
      long by = primary(p);
      if (by == 0) {
        if (!p->error) p->error = "division by zero";
        return 0;
      }
      value /= by;
    } else {
      return value;
    }
  }
}

static long expression(struct parser *p) {
  long value = term(p);
  for (;;) {
    if (accept(p, '+')) value += term(p);
    else if (accept(p, '-')) value -= term(p);
    else return value;
  }
}

int main(void) {
  const char *texts[] = {"1 + 2 * 3", "(1+2)*3 - -4", "0x10 / 3", "2*(3+4)*(5-6)", "1 / (2-2)", "(1", "", "100000*100000/7"};
  int errors = 0;
  for (unsigned i = 0; i < sizeof texts / sizeof *texts; ++i) {
    struct parser p = {texts[i], NULL};
    long value = expression(&p);
    if (p.error) printf("%s: %s at %d\n", texts[i], p.error, (int)(p.at - texts[i]));
    else printf("%s = %ld\n", texts[i], value);
    errors += p.error != NULL;
  }
  return errors;
}
