// purpose: a format text of printf is checked against the types of its arguments
#include <klee/klee.h>

enum type { kInt, kLong, kDouble, kText, kTypes };
enum verdict { kGood, kTooFew, kTooMany, kMismatch, kMalformed };

static int is_flag(char c) { return c == '-' || c == '+' || c == ' ' || c == '#' || c == '0'; }

static enum verdict check(const char* format, const unsigned char* types, int count) {
  int next = 0;
  for (const char* p = format; *p; p++) {
    if (*p != '%') continue;
    p++;
    if (*p == '%') continue;
    int flags = 0, longs = 0, has_precision = 0;
    while (is_flag(*p)) {
      if (++flags > 3) return kMalformed;
      p++;
    }
    if (*p == '*') {
      if (next == count) return kTooFew;
      if (types[next++] != kInt) return kMismatch;
      p++;
    } else {
      while (*p >= '1' && *p <= '9') p++;
    }
    if (*p == '.') {
      has_precision = 1;
      p++;
      while (*p >= '0' && *p <= '9') p++;
    }
    while (*p == 'l') {
      if (++longs > 2) return kMalformed;
      p++;
    }
    if (*p == 0) return kMalformed;
    if (next == count) return kTooFew;
    enum type given = (enum type)types[next++];
    switch (*p) {
      case 'd':
      case 'i':
      case 'u':
      case 'x':
        if (given != (longs ? kLong : kInt)) return kMismatch;
        if (*p != 'x' && flags > 2) return kMalformed;
        break;
      case 'c':
        if (given != kInt || longs || has_precision) return kMismatch;
        break;
      case 'f':
      case 'g':
        if (given != kDouble) return kMismatch;
        break;
      case 's':
        if (given != kText || longs) return kMismatch;
        break;
      case 'n':
        klee_assert(given != kText || !has_precision);
        return kMalformed;
      default:
        return kMalformed;
    }
  }
  return next < count ? kTooMany : kGood;
}

int main(void) {
  char format[11];
  unsigned char types[2];
  klee_make_symbolic(format, sizeof format, "format");
  klee_make_symbolic(types, sizeof types, "types");
  format[10] = 0;
  for (int i = 0; i < 2; i++)
    if (types[i] >= kTypes) return 10;
  return (int)check(format, types, 2);
}
