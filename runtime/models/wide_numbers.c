// Wide text to numbers: white space is skipped, what follows in ASCII is converted as narrow text.

#include "host.h"
#include "text.h"
#include "wide.h"

int iswspace(wide_int wide);

enum { LocalRoom = 64 };

// A copy of the part of a text that a number can be made of.
struct part {
  const wchar_t* start;
  char* bytes;
  char local[LocalRoom];
};

static int is_part(wchar_t wide) {
  return wide > 0 && wide < 128 && (isalnum((int)wide) || strchr("+-.()_", (int)wide) != NULL);
}

static void open_part(struct part* part, const wchar_t* text) {
  size_t size = 0;
  while (iswspace((wide_int)*text)) ++text;
  part->start = text;
  while (is_part(text[size])) ++size;
  part->bytes = size < LocalRoom ? part->local : malloc(size + 1);
  if (part->bytes == NULL) {
    part->bytes = part->local;
    size = 0;
  }
  for (size_t i = 0; i < size; ++i) part->bytes[i] = (char)text[i];
  part->bytes[size] = 0;
}

static void close_part(struct part* part, const char* narrow_end, const wchar_t* text, wchar_t** end) {
  // An illegal base leaves it as it was.
  if (end != NULL && narrow_end != NULL)
    *end = (wchar_t*)(narrow_end == part->bytes ? text : part->start + (narrow_end - part->bytes));
  if (part->bytes != part->local) free(part->bytes);
}

#define CONVERT(type, name, narrow, parameters, arguments)                     \
  type name(const wchar_t* restrict text, wchar_t** restrict end parameters) { \
    struct part part;                                                          \
    char* narrow_end = NULL;                                                   \
    open_part(&part, text);                                                    \
    type value = narrow(part.bytes, &narrow_end arguments);                    \
    close_part(&part, narrow_end, text, end);                                  \
    return value;                                                              \
  }

#define COMMA ,
#define INTEGER(type, name, narrow)                                                                     \
  type narrow(const char* restrict text, char** restrict end, int base);                                \
  type __isoc23_##narrow(const char* restrict text, char** restrict end, int base);                     \
  CONVERT(type, name, narrow, COMMA int base, COMMA base)                                               \
  CONVERT(type, __isoc23_##name, __isoc23_##narrow, COMMA int base, COMMA base)                         \
  type __##name##_internal(const wchar_t* restrict text, wchar_t** restrict end, int base, int group) { \
    (void)group;                                                                                        \
    return name(text, end, base);                                                                       \
  }
INTEGER(long, wcstol, strtol)
INTEGER(unsigned long, wcstoul, strtoul)
INTEGER(long long, wcstoll, strtoll)
INTEGER(unsigned long long, wcstoull, strtoull)
INTEGER(intmax_t, wcstoimax, strtoimax)
INTEGER(uintmax_t, wcstoumax, strtoumax)

#define REAL(type, name, narrow)                               \
  type narrow(const char* restrict text, char** restrict end); \
  CONVERT(type, name, narrow, , )
REAL(float, wcstof, strtof)
REAL(double, wcstod, strtod)
REAL(long double, wcstold, strtold)
