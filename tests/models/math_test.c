/* <math.h>: the functions on bits, for all kinds of numbers. */

#include <math.h>
#include <string.h>

#include "check.h"

MODEL(frexp);
MODEL(frexpf);
MODEL(frexpl);
MODEL(ldexp);
MODEL(ldexpf);
MODEL(ldexpl);
MODEL(scalbln);
MODEL(modf);
MODEL(modff);
MODEL(modfl);
MODEL(ilogb);
MODEL(ilogbl);
MODEL(logb);
MODEL(nextafter);
MODEL(nextafterf);
MODEL(remainder);
MODEL(remainderl);
MODEL(remainderf);
MODEL(fdim);
extern int model___fpclassify(double), model___fpclassifyf(float), model___fpclassifyl(long double);
extern int model___signbit(double), model___signbitl(long double);
extern int model_isnan(double), model_isinf(double), model_finite(double);
extern int model___isnanl(long double), model___isinfl(long double);

/* Equal as bits, but all NaN are alike. */
static int same(long double a, long double b) { return (isnan(a) && isnan(b)) || (a == b && signbit(a) == signbit(b)); }

/* Without the excess precision that functions of a 32-bit library return. */
static double narrow(double value) {
  volatile double stored = value;
  return stored;
}

static void test_double(double a, double b, int power) {
  int model_power = 0, library_power = 0;
  double model_whole = 0, library_whole = 0;
  check(same(model_frexp(a, &model_power), frexp(a, &library_power)), "frexp %a", a);
  check(!isfinite(a) || model_power == library_power, "frexp %a: exponent", a);
  check(same(model_ldexp(a, power), ldexp(a, power)), "ldexp %a %d", a, power);
  check(same(model_scalbln(a, power), scalbln(a, power)), "scalbln %a %d", a, power);
  check(same(model_modf(a, &model_whole), modf(a, &library_whole)) && same(model_whole, library_whole), "modf %a", a);
  check(model_ilogb(a) == ilogb(a), "ilogb %a", a);
  check(same(model_logb(a), logb(a)), "logb %a", a);
  check(same(model_nextafter(a, b), nextafter(a, b)), "nextafter %a %a", a, b);
  /* Exact, so that the longer type gives it too; glibc's remainder sometimes loses the sign of zero. */
  check(same(model_remainder(a, b), remainderl(a, b)), "remainder %a %a", a, b);
  check(same(narrow(model_fdim(a, b)), narrow(fdim(a, b))), "fdim %a %a", a, b);
  check(model___fpclassify(a) == fpclassify(a), "fpclassify %a", a);
  check((model___signbit(a) != 0) == (signbit(a) != 0), "signbit %a", a);
  check(model_isnan(a) == (isnan(a) != 0) && (model_isinf(a) != 0) == (isinf(a) != 0), "isnan, isinf %a", a);
  check((model_finite(a) != 0) == (isfinite(a) != 0), "finite %a", a);
}

static void test_float(float a, float b, int power) {
  int model_power = 0, library_power = 0;
  float model_whole = 0, library_whole = 0;
  check(same(model_frexpf(a, &model_power), frexpf(a, &library_power)), "frexpf %a", a);
  check(same(model_ldexpf(a, power), ldexpf(a, power)), "ldexpf %a %d", a, power);
  check(same(model_modff(a, &model_whole), modff(a, &library_whole)) && same(model_whole, library_whole), "modff %a",
        a);
  check(same(model_nextafterf(a, b), nextafterf(a, b)), "nextafterf %a %a", a, b);
  check(same(model_remainderf(a, b), remainderf(a, b)), "remainderf %a %a", a, b);
  check(model___fpclassifyf(a) == fpclassify(a), "fpclassifyf %a", a);
}

static void test_long_double(long double a, long double b, int power) {
  int model_power = 0, library_power = 0;
  long double model_whole = 0, library_whole = 0;
  check(same(model_frexpl(a, &model_power), frexpl(a, &library_power)), "frexpl %La", a);
  check(same(model_ldexpl(a, power), ldexpl(a, power)), "ldexpl %La %d", a, power);
  check(same(model_modfl(a, &model_whole), modfl(a, &library_whole)) && same(model_whole, library_whole), "modfl %La",
        a);
  check(model_ilogbl(a) == ilogbl(a), "ilogbl %La", a);
  check(same(model_remainderl(a, b), remainderl(a, b)), "remainderl %La %La", a, b);
  check(model___fpclassifyl(a) == fpclassify(a), "fpclassifyl %La", a);
  check((model___signbitl(a) != 0) == (signbit(a) != 0), "signbitl %La", a);
  check(model___isnanl(a) == (isnan(a) != 0) && (model___isinfl(a) != 0) == (isinf(a) != 0), "isnanl, isinfl %La", a);
}

void test_math(void) {
  for (int i = 0; i < 8000; ++i) {
    int power = one_in(10) ? (int)random64() : (int)below(2300) - 1150;
    double a = random_double(), b = random_double();
    test_double(a, b, power);
    test_float((float)a, (float)b, power / 8);
    test_long_double(random_long_double(), random_long_double(), power * (one_in(2) ? 1 : 15));
  }
}
