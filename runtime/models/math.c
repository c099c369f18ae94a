// <math.h>: what is done on the bits of a number. Arithmetic functions (sqrt, floor, sin, fmod, round, …) are
// operations of plumb itself. Functions on float go through double wherever that is exact.

#include <limits.h>

#include "host.h"
#include "real.h"

enum { FpNan, FpInfinite, FpZero, FpSubnormal, FpNormal };

// The exponent of the leading bit of a finite number; the mantissa is moved to the top of its word.
static int normalise(struct plumb_real* real) {
  int exponent = real->exponent + 63;
  for (; real->mantissa >> 63 == 0; real->mantissa <<= 1) --exponent;
  return exponent;
}

static int is_number(struct plumb_real real) { return real.kind == RealFinite; }

// real * 2^power in the format.
static struct plumb_real scale(struct plumb_real real, long power, const struct plumb_real_format* format) {
  if (!is_number(real)) return real;
  int exponent = normalise(&real);
  if (power > 40000) power = 40000;
  if (power < -40000) power = -40000;
  struct plumb_real result =
      plumb_round_real(real.mantissa >> (64 - format->precision), exponent + (int)power, 0, 0, format);
  result.negative = real.negative;
  return result;
}

static int all_of(struct plumb_real real) { return is_number(real) || real.kind == RealZero; }

double ldexp(double value, int power) {
  struct plumb_real real = plumb_real_of_double(value);
  return is_number(real) ? plumb_real_to_double(scale(real, power, &plumb_double_format)) : value;
}
long double ldexpl(long double value, int power) {
  struct plumb_real real = plumb_real_of_long_double(value);
  return is_number(real) ? plumb_real_to_long_double(scale(real, power, &plumb_long_double_format)) : value;
}
float ldexpf(float value, int power) {
  struct plumb_real real = plumb_real_of_double(value);
  return is_number(real) ? plumb_real_to_float(scale(real, power, &plumb_float_format)) : value;
}

static int held(long power) { return power > 40000 ? 40000 : power < -40000 ? -40000 : (int)power; }
double scalbn(double value, int power) { return ldexp(value, power); }
float scalbnf(float value, int power) { return ldexpf(value, power); }
long double scalbnl(long double value, int power) { return ldexpl(value, power); }
double scalbln(double value, long power) { return ldexp(value, held(power)); }
float scalblnf(float value, long power) { return ldexpf(value, held(power)); }
long double scalblnl(long double value, long power) { return ldexpl(value, held(power)); }

double frexp(double value, int* exponent) {
  struct plumb_real real = plumb_real_of_double(value);
  *exponent = 0;
  if (!is_number(real)) return value;
  *exponent = normalise(&real) + 1;
  real.mantissa >>= 11;
  real.exponent = -53;
  return plumb_real_to_double(real);
}
long double frexpl(long double value, int* exponent) {
  struct plumb_real real = plumb_real_of_long_double(value);
  *exponent = 0;
  if (!is_number(real)) return value;
  *exponent = normalise(&real) + 1;
  real.exponent = -64;
  return plumb_real_to_long_double(real);
}
float frexpf(float value, int* exponent) { return (float)frexp(value, exponent); }

// Clears the bits behind the point.
static struct plumb_real integral(struct plumb_real real) {
  if (!is_number(real) || real.exponent >= 0) return real;
  real.mantissa = real.exponent <= -64 ? 0 : real.mantissa >> -real.exponent << -real.exponent;
  if (real.mantissa == 0) real.kind = RealZero;
  return real;
}

double modf(double value, double* whole) {
  struct plumb_real real = plumb_real_of_double(value);
  *whole = all_of(real) ? plumb_real_to_double(integral(real)) : value;
  if (real.kind == RealNan) return value;
  double rest = real.kind == RealInfinite ? 0 : value - *whole;
  return rest == 0 && real.negative ? -0.0 : rest;
}
long double modfl(long double value, long double* whole) {
  struct plumb_real real = plumb_real_of_long_double(value);
  *whole = all_of(real) ? plumb_real_to_long_double(integral(real)) : value;
  if (real.kind == RealNan) return value;
  long double rest = real.kind == RealInfinite ? 0 : value - *whole;
  return rest == 0 && real.negative ? -0.0L : rest;
}
float modff(float value, float* whole) {
  double wide;
  float rest = (float)modf(value, &wide);
  *whole = (float)wide;
  return rest;
}

static int exponent_of(struct plumb_real real) {
  if (real.kind == RealInfinite) return INT_MAX;
  return is_number(real) ? normalise(&real) : INT_MIN;
}
int ilogb(double value) { return exponent_of(plumb_real_of_double(value)); }
int ilogbf(float value) { return exponent_of(plumb_real_of_double(value)); }
int ilogbl(long double value) { return exponent_of(plumb_real_of_long_double(value)); }

double logb(double value) {
  struct plumb_real real = plumb_real_of_double(value);
  if (is_number(real)) return normalise(&real);
  return real.kind == RealZero ? -__builtin_inf() : value * value;
}
float logbf(float value) { return (float)logb(value); }

static int classify(struct plumb_real real, const struct plumb_real_format* format) {
  switch (real.kind) {
    case RealZero:
      return FpZero;
    case RealInfinite:
      return FpInfinite;
    case RealNan:
      return FpNan;
    default:
      return normalise(&real) < format->min_exponent ? FpSubnormal : FpNormal;
  }
}
int __fpclassify(double value) { return classify(plumb_real_of_double(value), &plumb_double_format); }
int __fpclassifyf(float value) { return classify(plumb_real_of_double(value), &plumb_float_format); }
int __fpclassifyl(long double value) { return classify(plumb_real_of_long_double(value), &plumb_long_double_format); }

int __signbit(double value) { return plumb_real_of_double(value).negative; }
int __signbitf(float value) { return plumb_real_of_double(value).negative; }
int __signbitl(long double value) { return plumb_real_of_long_double(value).negative; }

#define IS_INFINITE(type, name) \
  int name(type value) { return value == (type)__builtin_inf() ? 1 : value == (type) - __builtin_inf() ? -1 : 0; }
#define IS_NAN(type, name) \
  int name(type value) { return value != value; }
#define IS_FINITE(type, name) \
  int name(type value) { return value - value == 0; }
IS_INFINITE(double, isinf)
IS_INFINITE(double, __isinf)
IS_INFINITE(float, isinff)
IS_INFINITE(float, __isinff)
IS_INFINITE(long double, isinfl)
IS_INFINITE(long double, __isinfl)
IS_NAN(double, isnan)
IS_NAN(double, __isnan)
IS_NAN(float, isnanf)
IS_NAN(float, __isnanf)
IS_NAN(long double, isnanl)
IS_NAN(long double, __isnanl)
IS_FINITE(double, finite)
IS_FINITE(double, __finite)
IS_FINITE(float, finitef)
IS_FINITE(float, __finitef)
IS_FINITE(long double, finitel)
IS_FINITE(long double, __finitel)
