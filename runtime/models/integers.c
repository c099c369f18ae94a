// Text to integer: the strtol family and atoi. The __isoc23 names are what headers of glibc 2.38 and later make of
// strtol in C23 and GNU modes; they also accept binary, 0b101.

#include <limits.h>

#include "host.h"
#include "text.h"

struct parsed {
  struct plumb_number number;
  int negative;
};

static int has_prefix(const char* text, char letter, int base) {
  return text[0] == '0' && tolower((unsigned char)text[1]) == letter &&
         plumb_digit((unsigned char)text[2]) < (unsigned)base;
}

// Parses as strtoull; `binary` says whether 0b counts as a prefix.
static struct parsed parse(const char* text, char** end, int base, int binary) {
  struct parsed result = {{0, 0, 0}, 0};
  const char* at = text;
  if (base < 0 || base == 1 || base > 36) {
    errno = EINVAL;
    return result;
  }
  if (end != NULL) *end = (char*)text;
  while (isspace((unsigned char)*at)) ++at;
  result.negative = *at == '-';
  if (*at == '-' || *at == '+') {
    plumb_apart();
    ++at;
  }
  if ((base == 0 || base == 16) && has_prefix(at, 'x', 16)) {
    plumb_apart();
    base = 16;
    at += 2;
  } else if (binary && (base == 0 || base == 2) && has_prefix(at, 'b', 2)) {
    plumb_apart();
    base = 2;
    at += 2;
  } else if (base == 0) {
    base = 10;
    if (*at == '0') {
      plumb_apart();
      base = 8;
    }
  }
  const char* digits = at;
  for (; plumb_digit((unsigned char)*at) < (unsigned)base; ++at) {
    plumb_add_digit(&result.number, plumb_digit((unsigned char)*at), (unsigned)base);
  }
  if (at != digits && end != NULL) *end = (char*)at;
  return result;
}

static long long to_signed(struct parsed parsed, long long low, long long high) {
  unsigned long long magnitude = parsed.number.magnitude;
  unsigned long long limit = parsed.negative ? 0ull - (unsigned long long)low : (unsigned long long)high;
  if (parsed.number.overflow || magnitude > limit) {
    errno = ERANGE;
    return parsed.negative ? low : high;
  }
  return (long long)(parsed.negative ? 0ull - magnitude : magnitude);
}

static unsigned long long to_unsigned(struct parsed parsed, unsigned long long high) {
  unsigned long long magnitude = parsed.number.magnitude;
  if (parsed.number.overflow || magnitude > high) {
    errno = ERANGE;
    return high;
  }
  return parsed.negative ? 0ull - magnitude : magnitude;
}

#define SIGNED(type, name, low, high)                                                             \
  type name(const char* restrict text, char** restrict end, int base) {                           \
    return (type)to_signed(parse(text, end, base, 0), low, high);                                 \
  }                                                                                               \
  type __isoc23_##name(const char* restrict text, char** restrict end, int base) {                \
    return (type)to_signed(parse(text, end, base, 1), low, high);                                 \
  }                                                                                               \
  type __##name##_internal(const char* restrict text, char** restrict end, int base, int group) { \
    (void)group;                                                                                  \
    return (type)to_signed(parse(text, end, base, 0), low, high);                                 \
  }

#define UNSIGNED(type, name, high)                                                                \
  type name(const char* restrict text, char** restrict end, int base) {                           \
    return (type)to_unsigned(parse(text, end, base, 0), high);                                    \
  }                                                                                               \
  type __isoc23_##name(const char* restrict text, char** restrict end, int base) {                \
    return (type)to_unsigned(parse(text, end, base, 1), high);                                    \
  }                                                                                               \
  type __##name##_internal(const char* restrict text, char** restrict end, int base, int group) { \
    (void)group;                                                                                  \
    return (type)to_unsigned(parse(text, end, base, 0), high);                                    \
  }

SIGNED(long, strtol, LONG_MIN, LONG_MAX)
SIGNED(long long, strtoll, LLONG_MIN, LLONG_MAX)
SIGNED(long long, strtoq, LLONG_MIN, LLONG_MAX)
SIGNED(intmax_t, strtoimax, LLONG_MIN, LLONG_MAX)
UNSIGNED(unsigned long, strtoul, ULONG_MAX)
UNSIGNED(unsigned long long, strtoull, ULLONG_MAX)
UNSIGNED(unsigned long long, strtouq, ULLONG_MAX)
UNSIGNED(uintmax_t, strtoumax, ULLONG_MAX)

int atoi(const char* text) { return (int)strtol(text, NULL, 10); }
long atol(const char* text) { return strtol(text, NULL, 10); }
long long atoll(const char* text) { return strtoll(text, NULL, 10); }
