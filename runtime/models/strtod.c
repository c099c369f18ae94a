// Text to floating-point number. Where a number ends is found here, by branches. Its value would be formulas of
// thousands of bits, so that the bytes of the number are settled by branches too, a few for each digit: what the value
// is computed of (real_value.c, or the C library beside us) depends on input no more, and nothing is lost.

#include "host.h"
#include "library.h"
#include "text.h"

// The number in the form that the evaluation gets: made of bytes that are settled.
struct written {
  char* text;
  size_t size;
};

static void put(struct written* number, char byte) {
  plumb_apart();
  number->text[number->size++] = byte;
}

// The byte itself, which is known to be in the range. Calls keep the two ways apart.
static char settle(char byte, int low, int high) {
  if (low >= high) return (char)low;
  int middle = low + (high - low) / 2;
  if ((unsigned char)byte <= middle) return settle(byte, low, middle);
  return settle(byte, middle + 1, high);
}

static char settle_digit(char byte) {
  if (byte <= '9') return settle(byte, '0', '9');
  if (byte <= 'Z') return settle(byte, 'A', 'F');
  return settle(byte, 'a', 'f');
}

static int is_digit(char byte, unsigned base) { return plumb_digit((unsigned char)byte) < base; }

static int is_sign(char byte) { return byte == '-' || byte == '+'; }

// A sign, if there is one; gives what follows it.
static const char* take_sign(const char* at, struct written* number) {
  if (*at == '-') {
    put(number, '-');
    return at + 1;
  }
  if (*at == '+') {
    plumb_apart();
    return at + 1;
  }
  return at;
}

// Whether `text` starts with the word in lower case, whatever its own case.
static int starts_with(const char* text, const char* word) {
  while (*word != 0 && tolower((unsigned char)*text) == *word) {
    ++text;
    ++word;
  }
  return *word == 0;
}

static const char* take_word(const char* at, const char* word, struct written* number) {
  for (; *word != 0; ++word, ++at) put(number, *word);
  return at;
}

// nan, or nan(payload).
static const char* take_nan(const char* at, struct written* number) {
  at = take_word(at, "nan", number);
  if (*at != '(') return at;
  const char* close = at + 1;
  while (isalnum((unsigned char)*close) || *close == '_') ++close;
  if (*close != ')') return at;
  for (; at <= close; ++at) put(number, settle(*at, 0, 127));
  return at;
}

static const char* take_exponent(const char* at, char letter, struct written* number) {
  if (!is_digit(at[1], 10) && !(is_sign(at[1]) && is_digit(at[2], 10))) return at;
  put(number, letter);
  at = take_sign(at + 1, number);
  for (; is_digit(*at, 10); ++at) put(number, settle(*at, '0', '9'));
  return at;
}

// Digits, a point and an exponent, which the letter starts; null if there is no digit.
static const char* take_digits(const char* at, unsigned base, char letter, struct written* number) {
  int digits = 0;
  int point = 0;
  for (;; ++at) {
    if (is_digit(*at, base)) {
      put(number, settle_digit(*at));
      digits = 1;
    } else if (*at == '.' && !point) {
      put(number, '.');
      point = 1;
    } else {
      break;
    }
  }
  if (!digits) return NULL;
  return tolower((unsigned char)*at) == letter ? take_exponent(at, letter, number) : at;
}

static const char* take_number(const char* at, struct written* number) {
  at = take_sign(at, number);
  if (starts_with(at, "inf")) return take_word(at, starts_with(at, "infinity") ? "infinity" : "inf", number);
  if (starts_with(at, "nan")) return take_nan(at, number);
  if (at[0] == '0' && tolower((unsigned char)at[1]) == 'x') {
    if (is_digit(at[2], 16) || (at[2] == '.' && is_digit(at[3], 16))) {
      take_word(at, "0x", number);
      return take_digits(at + 2, 16, 'p', number);
    }
  }
  return take_digits(at, 10, 'e', number);
}

// How many bytes a number that starts here has at most, and one for its end.
static size_t room_for(const char* at) {
  size_t size = 1;
  while (isalnum((unsigned char)*at) || is_sign(*at) || *at == '.' || *at == '(' || *at == ')' || *at == '_') {
    ++size;
    ++at;
  }
  return size;
}

enum { LocalRoom = 64 };

// Gives the number as it is to be evaluated, null if there is none, or no memory for a long one.
static char* find_number(const char* text, char** end, char* local) {
  const char* at = text;
  if (end != NULL) *end = (char*)text;
  while (isspace((unsigned char)*at)) ++at;
  size_t room = room_for(at);
  struct written number = {room <= LocalRoom ? local : malloc(room), 0};
  if (number.text == NULL) return NULL;
  const char* last = take_number(at, &number);
  if (last == NULL) {
    if (number.text != local) free(number.text);
    return NULL;
  }
  put(&number, 0);
  if (end != NULL) *end = (char*)last;
  return number.text;
}

#define CONVERT(type, name)                                           \
  type name(const char* restrict text, char** restrict end) {         \
    char local[LocalRoom] = {0};                                      \
    char* number = find_number(text, end, local);                     \
    if (number == NULL) return 0;                                     \
    type value = plumb_library_##name(number, NULL);                  \
    if (number != local) free(number);                                \
    return value;                                                     \
  }                                                                   \
  type __##name##_internal(const char* text, char** end, int group) { \
    (void)group;                                                      \
    return name(text, end);                                           \
  }

CONVERT(float, strtof)
CONVERT(double, strtod)
CONVERT(long double, strtold)

double atof(const char* text) { return strtod(text, NULL); }
