// %e, %f, %g and %a. The decimal forms are made of the exact digits (decimal.c), rounded half to even at the place that
// the precision asks for, whatever the precision.

#include "format.h"
#include "real.h"
#include "text.h"

static int is_upper(char conversion) { return conversion >= 'A' && conversion <= 'Z'; }

static char digit_at(const struct plumb_decimal* decimal, long place) {
  return place >= 0 && place < decimal->count ? decimal->digits[place] : '0';
}

// Writes p+12 or e+05 into `text`, with at least `least` digits; gives its size.
static int exponent_text(char* text, char letter, long exponent, int least) {
  char digits[8];
  int count = 0;
  unsigned long rest = exponent < 0 ? 0ul - (unsigned long)exponent : (unsigned long)exponent;
  for (; rest != 0 || count < least; rest /= 10) digits[count++] = (char)('0' + rest % 10);
  text[0] = letter;
  text[1] = exponent < 0 ? '-' : '+';
  for (int i = 0; i < count; ++i) text[2 + i] = digits[count - 1 - i];
  return 2 + count;
}

// The parts of a number to print: digits before the point, behind it, and the exponent's text.
struct layout {
  long first;  // place of the first digit before the point
  long before;
  long behind;
  char exponent[8];
  int exponent_size;
};

static void put_layout(struct plumb_sink* sink, const struct plumb_specification* specification, const char* sign,
                       const struct plumb_decimal* decimal, const struct layout* layout) {
  int point = layout->behind > 0 || specification->alternate;
  long long size = (long long)layout->before + point + layout->behind + layout->exponent_size;
  long long padding = plumb_open_field(sink, specification, sign, size, specification->zero);
  long place = layout->first;
  for (long i = 0; i < layout->before; ++i) plumb_put(sink, digit_at(decimal, place++));
  if (point) plumb_put(sink, '.');
  for (long i = 0; i < layout->behind; ++i) plumb_put(sink, digit_at(decimal, place++));
  plumb_put_text(sink, layout->exponent, (size_t)layout->exponent_size);
  plumb_pad(sink, ' ', padding);
}

static struct layout fixed_layout(const struct plumb_decimal* decimal, long behind) {
  struct layout layout = {.before = decimal->point > 0 ? decimal->point : 1, .behind = behind};
  layout.first = decimal->point - layout.before;
  return layout;
}

static struct layout exponential_layout(const struct plumb_decimal* decimal, long behind, int upper) {
  struct layout layout = {.first = 0, .before = 1, .behind = behind};
  long exponent = decimal->count > 0 ? decimal->point - 1 : 0;
  layout.exponent_size = exponent_text(layout.exponent, upper ? 'E' : 'e', exponent, 2);
  return layout;
}

static void put_decimal(struct plumb_sink* sink, const struct plumb_specification* specification, const char* sign,
                        struct plumb_decimal* decimal) {
  int upper = is_upper(specification->conversion);
  long precision = specification->precision < 0 ? 6 : specification->precision;
  struct layout layout;
  if (decimal->count == 0) decimal->point = 1;
  switch (tolower(specification->conversion)) {
    case 'f':
      plumb_decimal_round(decimal, decimal->point + precision);
      if (decimal->count == 0) decimal->point = 1;
      layout = fixed_layout(decimal, precision);
      break;
    case 'e':
      plumb_decimal_round(decimal, precision + 1);
      layout = exponential_layout(decimal, precision, upper);
      break;
    default: {
      if (precision == 0) precision = 1;
      plumb_decimal_round(decimal, precision);
      long exponent = decimal->point - 1;
      int fixed = exponent >= -4 && exponent < precision;
      // Without # trailing zeros are not printed: as many digits as the rounded number has.
      long digits = specification->alternate ? precision : decimal->count;
      long behind = fixed ? digits - decimal->point : digits - 1;
      if (behind < 0) behind = 0;
      layout = fixed ? fixed_layout(decimal, behind) : exponential_layout(decimal, behind, upper);
    }
  }
  put_layout(sink, specification, sign, decimal, &layout);
}

// Apart from long doubles, which need fifteen times the stack.
static void put_double(struct plumb_sink* sink, const struct plumb_specification* specification, const char* sign,
                       struct plumb_real value) {
  uint32_t words[DecimalWords];
  char digits[DecimalWords * 9];
  struct plumb_decimal decimal = plumb_decimal_of(value.mantissa, value.exponent, words, DecimalWords, digits);
  put_decimal(sink, specification, sign, &decimal);
}

static void put_long_double(struct plumb_sink* sink, const struct plumb_specification* specification, const char* sign,
                            struct plumb_real value) {
  uint32_t words[DecimalWordsLong];
  char digits[DecimalWordsLong * 9];
  struct plumb_decimal decimal = plumb_decimal_of(value.mantissa, value.exponent, words, DecimalWordsLong, digits);
  put_decimal(sink, specification, sign, &decimal);
}

// A mantissa as hexadecimal digits.
struct hexadecimal {
  unsigned lead;      // before the point
  uint64_t fraction;  // its digits start at the top
  long exponent;
};

// glibc's choice: a double shows 1 before the point, or 0 if subnormal; a long double its upper four bits.
static struct hexadecimal hexadecimal_of(struct plumb_real value) {
  struct hexadecimal result = {0, 0, 0};
  if (value.kind == RealZero) return result;
  if (value.is_long) {
    result.lead = (unsigned)(value.mantissa >> 60);
    result.fraction = value.mantissa << 4;
    result.exponent = value.exponent + 60;
  } else {
    result.lead = (unsigned)(value.mantissa >> 52);
    result.fraction = value.mantissa << 12;
    result.exponent = value.exponent + 52;
  }
  return result;
}

static void round_hexadecimal(struct hexadecimal* number, int digits) {
  uint64_t kept = digits == 0 ? 0 : number->fraction >> (64 - 4 * digits);
  uint64_t rest = digits == 0 ? number->fraction : number->fraction << (4 * digits);
  const uint64_t half = 1ull << 63;
  int odd = (int)((digits == 0 ? number->lead : kept) & 1);
  int up = rest > half || (rest == half && odd);
  number->fraction = digits == 0 ? 0 : kept << (64 - 4 * digits);
  if (!up) return;
  uint64_t unit = digits == 0 ? 0 : 1ull << (64 - 4 * digits);
  number->fraction += unit;
  if (number->fraction == 0) ++number->lead;
}

static void put_hexadecimal(struct plumb_sink* sink, const struct plumb_specification* specification, const char* sign,
                            struct plumb_real value) {
  int upper = is_upper(specification->conversion);
  const char* symbols = upper ? "0123456789ABCDEF" : "0123456789abcdef";
  struct hexadecimal number = hexadecimal_of(value);
  int behind = specification->precision;
  if (behind >= 0 && behind < 15) round_hexadecimal(&number, behind);
  if (number.lead == 16) {
    number.lead = 1;
    number.exponent += 4;
  }
  if (behind < 0) {
    behind = 0;
    while (behind < 16 && number.fraction << (4 * behind) != 0) ++behind;
  }
  char exponent[8];
  int exponent_size = exponent_text(exponent, upper ? 'P' : 'p', number.exponent, 1);
  int point = behind > 0 || specification->alternate;
  char prefix[4] = {0};
  size_t prefix_size = strlen(sign);
  memcpy(prefix, sign, prefix_size);
  prefix[prefix_size] = '0';
  prefix[prefix_size + 1] = upper ? 'X' : 'x';
  long long size = 1ll + point + behind + exponent_size;
  long long padding = plumb_open_field(sink, specification, prefix, size, specification->zero);
  plumb_put(sink, symbols[number.lead]);
  if (point) plumb_put(sink, '.');
  for (int i = 0; i < behind; ++i) plumb_put(sink, i < 16 ? symbols[number.fraction << (4 * i) >> 60] : '0');
  plumb_put_text(sink, exponent, (size_t)exponent_size);
  plumb_pad(sink, ' ', padding);
}

void plumb_format_real(struct plumb_sink* sink, const struct plumb_specification* specification,
                       struct plumb_arguments* arguments) {
  struct plumb_real value = plumb_is_long_double(specification)
                                ? plumb_real_of_long_double(plumb_fetch_long_double(arguments, specification))
                                : plumb_real_of_double(plumb_fetch_double(arguments, specification));
  const char* sign = value.negative ? "-" : specification->plus ? "+" : specification->space ? " " : "";
  int upper = is_upper(specification->conversion);
  if (value.kind == RealInfinite || value.kind == RealNan) {
    const char* lower_text = value.kind == RealInfinite ? "inf" : "nan";
    const char* upper_text = value.kind == RealInfinite ? "INF" : "NAN";
    long long padding = plumb_open_field(sink, specification, sign, 3, 0);
    plumb_put_text(sink, upper ? upper_text : lower_text, 3);
    plumb_pad(sink, ' ', padding);
  } else if (tolower(specification->conversion) == 'a') {
    put_hexadecimal(sink, specification, sign, value);
  } else if (value.is_long) {
    put_long_double(sink, specification, sign, value);
  } else {
    put_double(sink, specification, sign, value);
  }
}
