// Parses one conversion specification of printf and fetches its argument. Numbered arguments (%2$d) are found by
// walking the argument list from its start; the type of each argument on the way is what the format says about its
// number.

#include <limits.h>

#include "format.h"
#include "host.h"
#include "text.h"

// Gives INT_MAX for a number that does not fit.
static const char* parse_number(const char* at, int* number) {
  *number = 0;
  for (; isdigit((unsigned char)*at); ++at) {
    int digit = *at - '0';
    *number = *number > (INT_MAX - digit) / 10 ? INT_MAX : *number * 10 + digit;
  }
  return at;
}

// Parses 12$ if it stands here; else `number` is 0 and nothing is consumed.
static const char* parse_place(const char* at, int* number) {
  const char* end = parse_number(at, number);
  if (end != at && *end == '$' && *number > 0) return end + 1;
  *number = 0;
  return at;
}

// A number, or * with its argument.
static const char* parse_amount(const char* at, int* number, int* argument) {
  *argument = 0;
  if (*at != '*') return parse_number(at, number);
  *number = 0;
  at = parse_place(at + 1, argument);
  if (*argument == 0) *argument = -1;
  return at;
}

static const char* parse_flags(const char* at, struct plumb_specification* specification) {
  for (;; ++at) {
    switch (*at) {
      case '-':
        specification->left = 1;
        break;
      case '+':
        specification->plus = 1;
        break;
      case ' ':
        specification->space = 1;
        break;
      case '#':
        specification->alternate = 1;
        break;
      case '0':
        specification->zero = 1;
        break;
      case '\'':  // groups and other digits: nothing in the "C" locale
      case 'I':
        break;
      default:
        return at;
    }
  }
}

const char* plumb_parse_specification(const char* format, struct plumb_specification* specification) {
  *specification = (struct plumb_specification){.precision = -1};
  const char* at = parse_place(format, &specification->argument);
  at = parse_flags(at, specification);
  at = parse_amount(at, &specification->width, &specification->width_argument);
  if (*at == '.') at = parse_amount(at + 1, &specification->precision, &specification->precision_argument);
  at = plumb_parse_length(at, &specification->length);
  if (specification->width == INT_MAX || specification->precision == INT_MAX) {
    specification->width = INT_MAX;  // the conversion stays 0: does not fit
    return at;
  }
  specification->conversion = *at;
  if (*at == 'C' || *at == 'S') specification->length = LengthLong;
  return *at != 0 ? at + 1 : at;
}

enum type { TypeNone, TypeInt, TypeLong, TypeLongLong, TypePointer, TypeDouble, TypeLongDouble };

static enum type type_of(const struct plumb_specification* specification) {
  switch (specification->conversion) {
    case 's':
    case 'S':
    case 'p':
    case 'n':
      return TypePointer;
    case 'c':
    case 'C':
      return TypeInt;
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
    case 'a':
    case 'A':
      return specification->length == LengthLongDouble || specification->length == LengthLongLong ? TypeLongDouble
                                                                                                  : TypeDouble;
    case '%':
    case 'm':
      return TypeNone;
    default:
      break;
  }
  if (specification->length == LengthLong) return TypeLong;
  return specification->length >= LengthLongLong ? TypeLongLong : TypeInt;
}

// The type of argument `number` according to the format; int if the format does not name it.
static enum type type_of_argument(const char* format, int number) {
  while (*format != 0) {
    if (*format++ != '%') continue;
    struct plumb_specification specification;
    format = plumb_parse_specification(format, &specification);
    if (specification.argument == number) return type_of(&specification);
  }
  return TypeInt;
}

static void skip(struct plumb_arguments* arguments, enum type type) {
  switch (type) {
    case TypeNone:
      break;
    case TypeInt:
      (void)va_arg(arguments->rest, int);
      break;
    case TypeLong:
      (void)va_arg(arguments->rest, long);
      break;
    case TypeLongLong:
      (void)va_arg(arguments->rest, long long);
      break;
    case TypePointer:
      (void)va_arg(arguments->rest, void*);
      break;
    case TypeDouble:
      (void)va_arg(arguments->rest, double);
      break;
    case TypeLongDouble:
      (void)va_arg(arguments->rest, long double);
      break;
  }
}

// Makes argument `number` the next one.
static void seek(struct plumb_arguments* arguments, int number) {
  if (number <= 0) return;
  va_end(arguments->rest);
  va_copy(arguments->rest, arguments->start);
  for (int i = 1; i < number; ++i) skip(arguments, type_of_argument(arguments->format, i));
}

unsigned long long plumb_fetch_integer(struct plumb_arguments* arguments,
                                       const struct plumb_specification* specification) {
  seek(arguments, specification->argument);
  switch (type_of(specification)) {
    case TypeLong:
      return va_arg(arguments->rest, unsigned long);
    case TypeLongLong:
      return va_arg(arguments->rest, unsigned long long);
    case TypePointer:
      return (uintptr_t)va_arg(arguments->rest, void*);
    default:
      return va_arg(arguments->rest, unsigned);
  }
}

int plumb_is_long_double(const struct plumb_specification* specification) {
  return type_of(specification) == TypeLongDouble;
}

double plumb_fetch_double(struct plumb_arguments* arguments, const struct plumb_specification* specification) {
  seek(arguments, specification->argument);
  return va_arg(arguments->rest, double);
}

long double plumb_fetch_long_double(struct plumb_arguments* arguments,
                                    const struct plumb_specification* specification) {
  seek(arguments, specification->argument);
  return va_arg(arguments->rest, long double);
}

int plumb_fetch_star(struct plumb_arguments* arguments, int argument) {
  seek(arguments, argument);
  return va_arg(arguments->rest, int);
}
