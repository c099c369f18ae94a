#pragma once

// Floating-point numbers taken apart and put together, without floating-point arithmetic.

#include <stddef.h>
#include <stdint.h>

enum plumb_real_kind { RealZero, RealFinite, RealInfinite, RealNan };

/// mantissa * 2^exponent if finite. The mantissa is as stored, with its leading bit; `is_long` says of which format.
struct plumb_real {
  enum plumb_real_kind kind;
  int negative;
  uint64_t mantissa;  // of a NaN, its payload
  int exponent;
  int is_long;
};

/// An IEEE format: numbers of `precision` bits, the value of the first from 2^min_exponent up to 2^max_exponent.
struct plumb_real_format {
  int precision;
  int min_exponent;
  int max_exponent;
};

extern const struct plumb_real_format plumb_float_format;
extern const struct plumb_real_format plumb_double_format;
extern const struct plumb_real_format plumb_long_double_format;

struct plumb_real plumb_real_of_double(double value);
struct plumb_real plumb_real_of_long_double(long double value);
float plumb_real_to_float(struct plumb_real real);
double plumb_real_to_double(struct plumb_real real);
long double plumb_real_to_long_double(struct plumb_real real);

/// Rounds a number into the format, half to even: `mantissa` has the format's precision and its leading bit, which
/// stands for 2^exponent; `half` is the next bit and `sticky` whether anything follows. Sets errno to ERANGE as strtod
/// does.
struct plumb_real plumb_round_real(uint64_t mantissa, int exponent, int half, int sticky,
                                   const struct plumb_real_format* format);

/// The digits of a positive number 0.d1d2d3… * 10^point, d1 not zero; no digits for zero.
struct plumb_decimal {
  char* digits;
  long count;
  long point;
};

enum {
  DecimalWords = 124,       // capacity for every double, of 9 digits each
  DecimalWordsLong = 1832,  // for every long double
};

/// All digits of mantissa * 2^exponent; `words` and `digits` (9 times as many bytes) have the capacity of its format.
struct plumb_decimal plumb_decimal_of(uint64_t mantissa, int exponent, uint32_t* words, int capacity, char* digits);
/// Rounds to the first `keep` digits, halves to even; none are left if `keep` is negative.
void plumb_decimal_round(struct plumb_decimal* decimal, long keep);

/// Parses as strtod: where the number ends goes to `end`, `text` if there is none. Sets errno to ERANGE on overflow
/// and on underflow with loss.
struct plumb_real plumb_parse_real(const char* text, char** end, const struct plumb_real_format* format);
