// For one format: REAL, NAME, EXPONENT and SCALE are given and undefined at the end, so there is no guard.

int EXPONENT(REAL value);
REAL SCALE(REAL value, int power);

static REAL NAME(with_sign)(REAL value, REAL sign) { return __builtin_signbit(sign) ? -value : value; }
// 1 for infinity and 0 for all else, with the sign.
static REAL NAME(corner)(REAL x) { return NAME(with_sign)(__builtin_isinf(x) ? 1 : 0, x); }
static REAL NAME(number)(REAL x) { return __builtin_isnan(x) ? NAME(with_sign)(0, x) : x; }
static int NAME(is_finite)(REAL x) { return !__builtin_isinf(x) && !__builtin_isnan(x); }

REAL _Complex NAME(__mul)(REAL a, REAL b, REAL c, REAL d) {
  REAL ac = a * c, bd = b * d, ad = a * d, bc = b * c;
  REAL _Complex z;
  __real__ z = ac - bd;
  __imag__ z = ad + bc;
  if (!__builtin_isnan(__real__ z) || !__builtin_isnan(__imag__ z)) return z;
  int left = __builtin_isinf(a) || __builtin_isinf(b);
  int right = __builtin_isinf(c) || __builtin_isinf(d);
  int product = __builtin_isinf(ac) || __builtin_isinf(bd) || __builtin_isinf(ad) || __builtin_isinf(bc);
  if (!left && !right && !product) return z;
  a = left ? NAME(corner)(a) : NAME(number)(a);
  b = left ? NAME(corner)(b) : NAME(number)(b);
  c = right ? NAME(corner)(c) : NAME(number)(c);
  d = right ? NAME(corner)(d) : NAME(number)(d);
  __real__ z = (REAL)__builtin_inf() * (a * c - b * d);
  __imag__ z = (REAL)__builtin_inf() * (a * d + b * c);
  return z;
}

REAL _Complex NAME(__div)(REAL a, REAL b, REAL c, REAL d) {
  REAL size_c = __builtin_signbit(c) ? -c : c, size_d = __builtin_signbit(d) ? -d : d;
  REAL larger = size_c > size_d || __builtin_isnan(size_d) ? size_c : size_d;
  int shift = 0;
  if (NAME(is_finite)(larger) && larger != 0) {
    shift = -EXPONENT(larger);
    c = SCALE(c, shift);
    d = SCALE(d, shift);
  }
  REAL denominator = c * c + d * d;
  REAL _Complex z;
  __real__ z = SCALE((a * c + b * d) / denominator, shift);
  __imag__ z = SCALE((b * c - a * d) / denominator, shift);
  if (!__builtin_isnan(__real__ z) || !__builtin_isnan(__imag__ z)) return z;
  if (denominator == 0 && (!__builtin_isnan(a) || !__builtin_isnan(b))) {
    __real__ z = NAME(with_sign)((REAL)__builtin_inf(), c) * a;
    __imag__ z = NAME(with_sign)((REAL)__builtin_inf(), c) * b;
  } else if ((__builtin_isinf(a) || __builtin_isinf(b)) && NAME(is_finite)(c) && NAME(is_finite)(d)) {
    a = NAME(corner)(a);
    b = NAME(corner)(b);
    __real__ z = (REAL)__builtin_inf() * (a * c + b * d);
    __imag__ z = (REAL)__builtin_inf() * (b * c - a * d);
  } else if (__builtin_isinf(larger) && NAME(is_finite)(a) && NAME(is_finite)(b)) {
    c = NAME(corner)(c);
    d = NAME(corner)(d);
    __real__ z = 0 * (a * c + b * d);
    __imag__ z = 0 * (b * c - a * d);
  }
  return z;
}

#undef REAL
#undef NAME
#undef EXPONENT
#undef SCALE
