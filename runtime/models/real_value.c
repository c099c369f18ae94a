// The value of a floating-point number that strtod.c has found, correctly rounded. The decimal number is digits *
// 10^exponent: a fraction A/B of two big integers. Both are shifted until 1 <= A/B < 2, then the bits of the quotient
// come out by comparing and subtracting, as in long division at school; what is left of A tells how to round. Digits
// beyond those that any halfway case of the format has only count as "not zero". Hexadecimal numbers take the same way
// with B = 1.

#include <limits.h>

#include "host.h"
#include "real.h"
#include "text.h"

enum {
  Digits = 800,        // a halfway case between doubles has at most 768
  DigitsLong = 11600,  // between long doubles, at most 11,515
  Words = 140,         // for 10^(345 + 800) and a shift
  WordsLong = 1760,    // for 10^(4971 + 11600) and a shift
};

// A natural number in words of 32 bits, the least significant first, without leading zeros.
struct big {
  uint32_t* words;
  int count;
};

static void multiply_add(struct big* number, uint32_t factor, uint32_t addend) {
  uint64_t carry = addend;
  for (int i = 0; i < number->count; ++i) {
    carry += (uint64_t)number->words[i] * factor;
    number->words[i] = (uint32_t)carry;
    carry >>= 32;
  }
  if (carry != 0) number->words[number->count++] = (uint32_t)carry;
}

static void multiply_power_of_ten(struct big* number, long power) {
  for (; power >= 9; power -= 9) multiply_add(number, 1000000000, 0);
  for (; power > 0; --power) multiply_add(number, 10, 0);
}

static int bit_length(const struct big* number) {
  int length = 32 * number->count;
  for (uint32_t top = number->words[number->count - 1]; top >> 31 == 0; top <<= 1) --length;
  return length;
}

static void shift_left(struct big* number, int shift) {
  int whole = shift / 32;
  int part = shift % 32;
  for (int i = number->count; whole > 0 && i > 0; --i) number->words[i - 1 + whole] = number->words[i - 1];
  for (int i = 0; i < whole; ++i) number->words[i] = 0;
  number->count += whole;
  multiply_add(number, 1u << part, 0);
}

static int less(const struct big* a, const struct big* b) {
  if (a->count != b->count) return a->count < b->count;
  int i = a->count - 1;
  while (i > 0 && a->words[i] == b->words[i]) --i;
  return i >= 0 && a->words[i] < b->words[i];
}

// a -= b, where a >= b.
static void subtract(struct big* a, const struct big* b) {
  uint32_t borrow = 0;
  for (int i = 0; i < a->count; ++i) {
    uint64_t difference = (uint64_t)a->words[i] - (i < b->count ? b->words[i] : 0) - borrow;
    a->words[i] = (uint32_t)difference;
    borrow = (uint32_t)(difference >> 63);
  }
  while (a->count > 0 && a->words[a->count - 1] == 0) --a->count;
}

// The quotient a / b * 2^exponent, rounded; neither is zero.
static struct plumb_real quotient(struct big* a, struct big* b, long exponent, const struct plumb_real_format* format) {
  int difference = bit_length(a) - bit_length(b);
  shift_left(difference < 0 ? a : b, difference < 0 ? -difference : difference);
  if (less(a, b)) {
    shift_left(a, 1);
    --difference;
  }
  exponent += difference;
  uint64_t mantissa = 0;
  for (int i = 0; i < format->precision; ++i) {
    int bit = !less(a, b);
    if (bit) subtract(a, b);
    mantissa = mantissa << 1 | (unsigned)bit;
    shift_left(a, 1);
  }
  int half = !less(a, b);
  if (half) subtract(a, b);
  int limited = (int)(exponent > 20000 ? 20000 : exponent < -20000 ? -20000 : exponent);
  return plumb_round_real(mantissa, limited, half, a->count > 0, format);
}

// The digits of a number in the text, and its exponent in base 10 or, if hexadecimal, 2.
struct scanned {
  const char* first;  // digits, perhaps with a point among them
  const char* last;   // behind them
  long exponent;      // of the last digit
  int hexadecimal;
};

static int is_digit_of(const struct scanned* number, char byte) {
  return plumb_digit((unsigned char)byte) < (number->hexadecimal ? 16u : 10u);
}

static long scan_exponent(const char* text, const char** end) {
  int negative = *text == '-';
  if (*text == '-' || *text == '+') ++text;
  if (!isdigit((unsigned char)*text)) return 0;
  long value = 0;
  for (; isdigit((unsigned char)*text); ++text) {
    if (value < 100000000) value = 10 * value + (*text - '0');
  }
  *end = text;
  return negative ? -value : value;
}

// Gives the end of the number, or null if there is none.
static const char* scan(const char* text, struct scanned* number) {
  int digits = 0;
  int point = 0;
  number->hexadecimal =
      text[0] == '0' && tolower((unsigned char)text[1]) == 'x' &&
      (plumb_digit((unsigned char)text[2]) < 16 || (text[2] == '.' && plumb_digit((unsigned char)text[3]) < 16));
  number->exponent = 0;
  number->first = number->hexadecimal ? text + 2 : text;
  const char* at = number->first;
  for (; is_digit_of(number, *at) || (*at == '.' && !point); ++at) {
    if (*at == '.') {
      point = 1;
    } else {
      ++digits;
      if (point) number->exponent -= number->hexadecimal ? 4 : 1;
    }
  }
  if (digits == 0) return NULL;
  number->last = at;
  if (tolower((unsigned char)*at) == (number->hexadecimal ? 'p' : 'e')) number->exponent += scan_exponent(at + 1, &at);
  return at;
}

// Evaluates the digits with `room` of them, in the big integers a and b.
static struct plumb_real evaluate(const struct scanned* number, int room, struct big a, struct big b,
                                  const struct plumb_real_format* format) {
  uint32_t base = number->hexadecimal ? 16 : 10;
  long exponent = number->exponent;
  int sticky = 0;
  int used = 0;
  for (const char* at = number->first; at < number->last; ++at) {
    unsigned digit = plumb_digit((unsigned char)*at);
    if (digit >= base || (digit == 0 && used == 0)) continue;
    if (used < room) {
      multiply_add(&a, base, digit);
      ++used;
    } else {
      sticky |= digit != 0;
      exponent += number->hexadecimal ? 4 : 1;
    }
  }
  if (used == 0) return (struct plumb_real){RealZero, 0, 0, 0, 0};
  if (sticky) {
    multiply_add(&a, base, 1);
    exponent -= number->hexadecimal ? 4 : 1;
  }
  if (number->hexadecimal) return quotient(&a, &b, exponent, format);
  // Far outside of the format the powers of ten would not fit; the result is the same one step outside.
  long top = exponent + used;
  long limit = format->max_exponent * 31 / 100 + 30;
  if (top > limit) return plumb_round_real(1ull << (format->precision - 1), format->max_exponent + 1, 0, 1, format);
  if (top < -limit) return plumb_round_real(1ull << (format->precision - 1), format->min_exponent - 100, 0, 1, format);
  multiply_power_of_ten(&a, exponent);
  multiply_power_of_ten(&b, -exponent);
  return quotient(&a, &b, 0, format);
}

static struct plumb_real evaluate_double(const struct scanned* number, const struct plumb_real_format* format) {
  uint32_t a[Words];
  uint32_t b[Words];
  b[0] = 1;
  return evaluate(number, Digits, (struct big){a, 0}, (struct big){b, 1}, format);
}

static struct plumb_real evaluate_long_double(const struct scanned* number, const struct plumb_real_format* format) {
  uint32_t a[WordsLong];
  uint32_t b[WordsLong];
  b[0] = 1;
  return evaluate(number, DigitsLong, (struct big){a, 0}, (struct big){b, 1}, format);
}

// Whether `text` starts with the word in lower case, whatever its own case.
static int starts_with(const char* text, const char* word) {
  while (*word != 0 && tolower((unsigned char)*text) == *word) {
    ++text;
    ++word;
  }
  return *word == 0;
}

unsigned long long strtoull(const char* restrict text, char** restrict end, int base);

// nan, or nan(payload) where a payload that is not a number counts as none.
static const char* scan_nan(const char* text, uint64_t* payload) {
  const char* at = text + 3;
  *payload = 0;
  if (*at != '(') return at;
  const char* inner = at + 1;
  const char* close = inner;
  while (isalnum((unsigned char)*close) || *close == '_') ++close;
  if (*close != ')') return at;
  char* end;
  uint64_t value = strtoull(inner, &end, 0);
  if (end == close) *payload = value;
  return close + 1;
}

struct plumb_real plumb_parse_real(const char* text, char** end, const struct plumb_real_format* format) {
  struct plumb_real result = {RealZero, 0, 0, 0, 0};
  const char* at = text;
  if (end != NULL) *end = (char*)text;
  while (isspace((unsigned char)*at)) ++at;
  int negative = *at == '-';
  if (*at == '-' || *at == '+') ++at;
  struct scanned number;
  const char* last;
  if (starts_with(at, "inf")) {
    result.kind = RealInfinite;
    last = at + (starts_with(at, "infinity") ? 8 : 3);
  } else if (starts_with(at, "nan")) {
    result.kind = RealNan;
    last = scan_nan(at, &result.mantissa);
  } else {
    last = scan(at, &number);
    if (last == NULL) return result;
    result = format->precision == 64 ? evaluate_long_double(&number, format) : evaluate_double(&number, format);
  }
  if (end != NULL) *end = (char*)last;
  result.negative = negative;
  return result;
}

float plumb_library_strtof(const char* text, char** end) {
  return plumb_real_to_float(plumb_parse_real(text, end, &plumb_float_format));
}

double plumb_library_strtod(const char* text, char** end) {
  return plumb_real_to_double(plumb_parse_real(text, end, &plumb_double_format));
}

long double plumb_library_strtold(const char* text, char** end) {
  return plumb_real_to_long_double(plumb_parse_real(text, end, &plumb_long_double_format));
}
