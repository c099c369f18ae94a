/* Text to number: values, ends and errno. */

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

MODEL(strtol);
MODEL(strtoul);
MODEL(strtoll);
MODEL(strtoull);
MODEL(strtoimax);
MODEL(strtoumax);
MODEL(atoi);
MODEL(atol);
MODEL(atoll);
MODEL(strtof);
MODEL(strtod);
MODEL(strtold);
MODEL(atof);
extern int* model___errno_location(void);

/* Compares a call of the model and of the library on the same text. */
#define COMPARE(type, name, text, ...)                                                                                 \
  do {                                                                                                                 \
    char *model_end = NULL, *library_end = NULL;                                                                       \
    *model___errno_location() = 0;                                                                                     \
    errno = 0;                                                                                                         \
    type model_value, library_value;                                                                                   \
    memset(&model_value, 0, sizeof model_value);                                                                       \
    memset(&library_value, 0, sizeof library_value);                                                                   \
    model_value = model_##name(text, &model_end __VA_ARGS__);                                                          \
    library_value = name(text, &library_end __VA_ARGS__);                                                              \
    int model_errno = *model___errno_location(), library_errno = errno;                                                \
    check(model_end == library_end, #name " %s: end %td, not %td", quoted(text), model_end - (text),                   \
          library_end - (text));                                                                                       \
    check(model_errno == library_errno, #name " %s: errno %d, not %d", quoted(text), model_errno, library_errno);      \
    check_bytes(&model_value, &library_value, sizeof(type) > 8 ? 10 : sizeof(type), #name " %s: value", quoted(text)); \
  } while (0)

static void compare_integers(const char* text, int base) {
  COMPARE(long, strtol, text, , base);
  COMPARE(unsigned long, strtoul, text, , base);
  COMPARE(long long, strtoll, text, , base);
  COMPARE(unsigned long long, strtoull, text, , base);
  COMPARE(intmax_t, strtoimax, text, , base);
  COMPARE(uintmax_t, strtoumax, text, , base);
}

void test_integers(void) {
  static const char* const limits[] = {"2147483647",
                                       "2147483648",
                                       "-2147483648",
                                       "-2147483649",
                                       "4294967295",
                                       "4294967296",
                                       "9223372036854775807",
                                       "9223372036854775808",
                                       "-9223372036854775808",
                                       "-9223372036854775809",
                                       "18446744073709551615",
                                       "18446744073709551616",
                                       "-18446744073709551615",
                                       "99999999999999999999999",
                                       "0x",
                                       "0xg",
                                       "0x1g",
                                       "08",
                                       "-0x8000000000000000",
                                       "",
                                       "-",
                                       "+ 1",
                                       " \t\n\v\f\r12",
                                       "0b11",
                                       "zz",
                                       "-zZ9",
                                       "00000000000000000000000000000000001"};
  static const int bases[] = {0, 2, 3, 8, 10, 16, 17, 36, 1, 37, -1};
  for (size_t i = 0; i < sizeof limits / sizeof limits[0]; ++i) {
    for (size_t k = 0; k < sizeof bases / sizeof bases[0]; ++k) compare_integers(limits[i], bases[k]);
  }
  for (int i = 0; i < 4000; ++i) {
    char text[80];
    random_text(text, 24, one_in(2) ? "0123456789" : " +-0xX19afz");
    compare_integers(text, one_in(3) ? 10 : bases[below(8)]);
    snprintf(text, sizeof text, "%s%" PRId64, one_in(2) ? " " : "", (int64_t)random64() >> below(64));
    check(model_atoi(text) == atoi(text) && model_atol(text) == atol(text) && model_atoll(text) == atoll(text),
          "atoi %s", quoted(text));
  }
}

static void compare_reals(const char* text) {
  COMPARE(float, strtof, text, );
  COMPARE(double, strtod, text, );
  COMPARE(long double, strtold, text, );
}

/* Exactly halfway between two neighbours, and a digit more or less far behind. */
static void compare_halfways(double value) {
  static char text[2400];
  long double middle = ((long double)value + (long double)__builtin_nextafter(value, 1e308)) / 2;
  int length = snprintf(text, 1600, "%.1100Lf", middle);
  if (length >= 1600) return;
  compare_reals(text);
  text[length] = '1';
  text[length + 1] = 0;
  compare_reals(text);
  length = snprintf(text, 1600, "%.800Le", middle);
  compare_reals(text);
}

static void compare_fixed_reals(void) {
  static const char* const texts[] = {
      "0",
      "-0",
      "1",
      "0.1",
      ".5",
      "5.",
      ".",
      "-.",
      "+",
      "e5",
      "1e",
      "1e+",
      "1e-",
      "1e5x",
      "1E10",
      "1e400",
      "-1e400",
      "1e-400",
      "1e-324",
      "2e-324",
      "2.4703282292062327e-324",
      "2.4703282292062328e-324",
      "4.9e-324",
      "1e99999999999",
      "0e99999999999",
      "1e-99999999999",
      "2.2250738585072011e-308",
      "2.2250738585072012e-308",
      "2.2250738585072014e-308",
      "2.22507385850720113605740979670913e-308",
      "1.7976931348623157e308",
      "1.7976931348623158e308",
      "1.7976931348623159e308",
      "1797693134862315807937289714053034150799341327100378269361737789804449682927647509466490179775872070963302864166"
      "9288791094655554785194040263065748867150582068190890200070838367627385484581771153176447573027006985557136695962"
      "2842914819860834936475292719074168444365510704342711559699508093042880",
      "9007199254740993",
      "9007199254740992.9999999999999999",
      "8.5",
      "3.4028235677973366e38",
      "3.4028235677973365e38",
      "1.17549435e-38",
      "7.0064923216240853e-46",
      "7.0064923216240854e-46",
      "1.18973149535723176502e+4932",
      "1.19e4932",
      "3.36210314311209350626e-4932",
      "3.6e-4951",
      "1.8e-4951",
      "1.9e-4951",
      "1e-5000",
      "1e5000",
      "inf",
      "-INF",
      "infinity",
      "INFINITYx",
      "infinit",
      "nan",
      "-nan",
      "NaN(",
      "nan()",
      "nan(123)",
      "nan(0x7f)",
      "nan(xyz)",
      "nan(12_3)",
      "nan(1",
      "0x",
      "0x.",
      "0x.p1",
      "0x1",
      "0x1p",
      "0x1p+",
      "0x1.8p1",
      "-0x.8p-1",
      "0xap10",
      "0x1p1023",
      "0x1p1024",
      "0x1.fffffffffffff8p1023",
      "0x1.fffffffffffff7fp1023",
      "0x1p-1074",
      "0x1p-1075",
      "0x1.8p-1075",
      "0x1p-1076",
      "0x1.00000000000008p0",
      "0x1.000000000000080001p0",
      "0x1.00000000000018p0",
      "0x1.0000010p0",
      "0x1.0000011p0",
      "0x1p-16445",
      "0x1p-16446",
      "0x1.8p-16446",
      "0x1p16383",
      "0x1p16384",
      "0x1.ffffffffffffffffp16383",
      "0x1.fffffffffffffffep16383",
      "0x0.0000000000000000000000001p100",
      "0x1p99999999999",
      "0x1.fffffffffffffp-1023",
      "0x0.fffffffffffff8p-1022",
      "  \n12.5abc",
      "1.2.3",
      "1,5",
      "12e3.4",
      "--1",
      "0x1.8",
      "1_000"};
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) compare_reals(texts[i]);
}

void test_reals(void) {
  compare_fixed_reals();
  for (int i = 0; i < 12000; ++i) {
    char text[120];
    int precision = (int)below(25);
    double value = random_double();
    switch (below(5)) {
      case 0:
        snprintf(text, sizeof text, "%.*e", precision, value);
        break;
      case 1:
        snprintf(text, sizeof text, "%.*Lg", precision, random_long_double());
        break;
      case 2:
        snprintf(text, sizeof text, "%.*a", precision, value);
        break;
      case 3:
        snprintf(text, sizeof text, "%" PRIu64 "e%d", random64() >> below(64), (int)below(700) - 350);
        break;
      default:
        random_text(text, 20, "0123456789.e-+x");
    }
    compare_reals(text);
    check(model_atof(text) == atof(text) || atof(text) != atof(text), "atof %s", quoted(text));
    if (i % 20 == 0) compare_halfways(value);
  }
  for (int i = 0; i < 30; ++i) {
    char text[120];
    snprintf(text, sizeof text, "%" PRIu64 ".%" PRIu64 "e%d", random64(), random64(), (int)below(10000) - 5000);
    compare_reals(text);
  }
}
