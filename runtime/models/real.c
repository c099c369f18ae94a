// Takes floating-point numbers apart and puts them together by their bits: float and double as IEEE 754 interchange
// formats, long double as x87's 80 bits with an explicit leading bit.

#include "real.h"

#include "host.h"
#include "text.h"

const struct plumb_real_format plumb_float_format = {24, -126, 127};
const struct plumb_real_format plumb_double_format = {53, -1022, 1023};
const struct plumb_real_format plumb_long_double_format = {64, -16382, 16383};

struct plumb_real plumb_real_of_double(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  int biased = (int)(bits >> 52 & 0x7ff);
  uint64_t fraction = bits & 0xfffffffffffffull;
  struct plumb_real real = {RealFinite, (int)(bits >> 63), fraction, 0, 0};
  if (biased == 0x7ff) {
    real.kind = fraction == 0 ? RealInfinite : RealNan;
  } else if (biased == 0) {
    real.kind = fraction == 0 ? RealZero : RealFinite;
    real.exponent = -1074;
  } else {
    real.mantissa = fraction | 1ull << 52;
    real.exponent = biased - 1075;
  }
  return real;
}

struct plumb_real plumb_real_of_long_double(long double value) {
  uint64_t mantissa;
  uint16_t top;
  memcpy(&mantissa, &value, sizeof mantissa);
  memcpy(&top, (const char*)&value + sizeof mantissa, sizeof top);
  int biased = top & 0x7fff;
  struct plumb_real real = {RealFinite, top >> 15, mantissa, 0, 1};
  if (biased == 0x7fff) {
    real.kind = mantissa << 1 == 0 ? RealInfinite : RealNan;
  } else {
    real.kind = mantissa == 0 ? RealZero : RealFinite;
    real.exponent = (biased == 0 ? 1 : biased) - 16446;
  }
  return real;
}

// Exponent field and fraction of an interchange format whose fraction has `bits` bits.
static uint64_t interchange_bits(struct plumb_real real, int bits, int max_biased) {
  uint64_t leading = 1ull << bits;
  uint64_t fraction = real.mantissa & (leading - 1);
  switch (real.kind) {
    case RealZero:
      return 0;
    case RealInfinite:
      return (uint64_t)max_biased << bits;
    case RealNan:
      return (uint64_t)max_biased << bits | leading >> 1 | fraction;
    case RealFinite:
      break;
  }
  int bias = max_biased / 2;
  uint64_t biased = real.mantissa < leading ? 0 : (uint64_t)(real.exponent + bits + bias);
  return biased << bits | fraction;
}

float plumb_real_to_float(struct plumb_real real) {
  uint32_t bits = (uint32_t)interchange_bits(real, 23, 0xff) | (uint32_t)real.negative << 31;
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

double plumb_real_to_double(struct plumb_real real) {
  uint64_t bits = interchange_bits(real, 52, 0x7ff) | (uint64_t)real.negative << 63;
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

long double plumb_real_to_long_double(struct plumb_real real) {
  const uint64_t leading = 1ull << 63;
  uint64_t mantissa = real.mantissa;
  int biased = mantissa < leading ? 0 : real.exponent + 16446;
  if (real.kind == RealZero) {
    mantissa = 0;
    biased = 0;
  } else if (real.kind != RealFinite) {
    mantissa = real.kind == RealInfinite ? leading : leading | leading >> 1 | mantissa;
    biased = 0x7fff;
  }
  uint16_t top = (uint16_t)(real.negative << 15 | biased);
  long double value = 0;
  memcpy(&value, &mantissa, sizeof mantissa);
  memcpy((char*)&value + sizeof mantissa, &top, sizeof top);
  return value;
}

struct plumb_real plumb_round_real(uint64_t mantissa, int exponent, int half, int sticky,
                                   const struct plumb_real_format* format) {
  int precision = format->precision;
  uint64_t all_ones = ~0ull >> (64 - precision);
  int dropped = exponent < format->min_exponent ? format->min_exponent - exponent : 0;  // bits of a subnormal
  // Tiny is judged after rounding to full precision, as the machine does.
  int tiny = dropped > 1 || (dropped == 1 && !(mantissa == all_ones && half));
  if (dropped > precision) {
    mantissa = 0;
    half = 0;
    sticky = 1;
  } else if (dropped > 0) {
    sticky |= half | ((mantissa & ((1ull << (dropped - 1)) - 1)) != 0);
    half = (int)(mantissa >> (dropped - 1) & 1);
    mantissa = dropped == 64 ? 0 : mantissa >> dropped;
  }
  exponent += dropped;
  if (half && (sticky || (mantissa & 1))) {
    if (mantissa == all_ones) {
      mantissa = all_ones >> 1;
      ++exponent;
    }
    ++mantissa;
  }
  if (tiny && (half || sticky)) errno = ERANGE;
  struct plumb_real result = {RealFinite, 0, mantissa, exponent - precision + 1, 0};
  if (mantissa == 0) result.kind = RealZero;
  if (exponent > format->max_exponent) {
    result.kind = RealInfinite;
    errno = ERANGE;
  }
  return result;
}
