// <math.h>: neighbours, remainders and differences.

#include "host.h"
#include "real.h"
#include "text.h"

double fmod(double a, double b);
long double fmodl(long double a, long double b);

// The bits of a positive float or double order like the number; a step away from zero is a step up.
double nextafter(double from, double to) {
  if (from != from || to != to) return from + to;
  if (from == to) return to;
  int64_t bits;
  memcpy(&bits, &from, sizeof bits);
  if (from == 0) {
    bits = to > 0 ? 1 : (int64_t)(1ull << 63 | 1);
  } else {
    bits += (from < to) == (from > 0) ? 1 : -1;
  }
  double result;
  memcpy(&result, &bits, sizeof result);
  return result;
}

float nextafterf(float from, float to) {
  if (from != from || to != to) return from + to;
  if (from == to) return to;
  int32_t bits;
  memcpy(&bits, &from, sizeof bits);
  if (from == 0) {
    bits = to > 0 ? 1 : (int32_t)(1u << 31 | 1);
  } else {
    bits += (from < to) == (from > 0) ? 1 : -1;
  }
  float result;
  memcpy(&result, &bits, sizeof result);
  return result;
}

double nexttoward(double from, long double to) {
  double target = to > (long double)from ? __builtin_inf() : to < (long double)from ? -__builtin_inf() : (double)to;
  return nextafter(from, target);
}

// As fdlibm does it: fmod by twice the divisor is exact, then at most two subtractions, exact too.
#define REMAINDER(type, name, modulo, greatest)                             \
  type name(type a, type b) {                                               \
    if (b == 0 || a != a || b != b || a - a != 0) return (a * b) / (a * b); \
    int negative = __builtin_signbit(a) != 0;                               \
    type divisor = b < 0 ? -b : b;                                          \
    type rest = negative ? -a : a;                                          \
    if (divisor <= greatest / 2) rest = modulo(rest, divisor + divisor);    \
    if (divisor < (type)1e-300) {                                           \
      if (rest + rest > divisor) {                                          \
        rest -= divisor;                                                    \
        if (rest + rest >= divisor) rest -= divisor;                        \
      }                                                                     \
    } else if (rest > divisor / 2) {                                        \
      rest -= divisor;                                                      \
      if (rest >= divisor / 2) rest -= divisor;                             \
    }                                                                       \
    return negative ? -rest : rest;                                         \
  }
REMAINDER(double, remainder, fmod, __DBL_MAX__)
REMAINDER(long double, remainderl, fmodl, __LDBL_MAX__)
float remainderf(float a, float b) { return (float)remainder(a, b); }
double drem(double a, double b) { return remainder(a, b); }

#define DIFFERENCE(type, suffix)                                                             \
  type fdim##suffix(type a, type b) { return a != a || b != b ? a + b : a > b ? a - b : 0; } \
  type nan##suffix(const char* payload) { return (void)payload, (type)__builtin_nan(""); }
DIFFERENCE(double, )
DIFFERENCE(float, f)
DIFFERENCE(long double, l)
