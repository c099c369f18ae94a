/* printf: random specifications on random values, and a list of fixed formats. */

#include <errno.h>
#include <float.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "check.h"

MODEL(snprintf);
MODEL(vsnprintf);
MODEL(sprintf);
MODEL(asprintf);
extern int model___sprintf_chk(char*, int, size_t, const char*, ...);
extern int model___snprintf_chk(char*, size_t, int, size_t, const char*, ...);
extern int* model___errno_location(void);

enum { Room = 40000 };
static char model_text[Room], library_text[Room];

static void compare(const char* format, ...) {
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  size_t room = one_in(10) ? below(12) : Room;
  memset(model_text, '~', 64);
  memset(library_text, '~', 64);
  int model_size = model_vsnprintf(model_text, room, format, arguments);
  int library_size = vsnprintf(library_text, room, format, again);
  va_end(again);
  va_end(arguments);
  check(model_size == library_size, "printf %s: size %d, not %d", quoted(format), model_size, library_size);
  size_t used = library_size < 0 ? 0 : (size_t)library_size < room ? (size_t)library_size + 1 : room;
  if (used < 64) used = 64;
  check_bytes(model_text, library_text, used, "printf %s: %.100s, not %.100s", quoted(format), model_text,
              library_text);
}

/* Writes flags, width and precision; gives where they end. */
static char* random_options(char* at, const char* flags, int most_precision) {
  *at++ = '%';
  while (one_in(2)) *at++ = flags[below((unsigned)strlen(flags))];
  if (one_in(2)) at += sprintf(at, "%u", below(40) + 1);
  if (one_in(2)) at += sprintf(at, ".%u", below((unsigned)most_precision));
  *at = 0;
  return at;
}

static void compare_integer(void) {
  static const char conversions[] = "diuoxXc";
  char format[64];
  char* at = random_options(format, "-+ #0", 30);
  char conversion = conversions[below(6)];
  unsigned long long value = random64() >> below(64);
  if (one_in(3)) value = 0 - value;
  if (one_in(10)) value = 0;
  switch (below(7)) {
    case 0:
      sprintf(at, "hh%c", conversion);
      compare(format, (int)value);
      break;
    case 1:
      sprintf(at, "h%c", conversion);
      compare(format, (int)value);
      break;
    case 2:
      sprintf(at, "l%c", conversion);
      compare(format, (long)value);
      break;
    case 3:
      sprintf(at, "%s%c", one_in(2) ? "ll" : "j", conversion);
      compare(format, value);
      break;
    case 4:
      sprintf(at, "%s%c", one_in(2) ? "z" : "t", conversion);
      compare(format, (size_t)value);
      break;
    default:
      sprintf(at, "%c", conversion);
      compare(format, (int)value);
  }
}

static void compare_text(void) {
  char format[64], text[32];
  char* at = random_options(format, "-", 12);
  random_text(text, 20, "abc \xe9%");
  switch (below(4)) {
    case 0:
      sprintf(at, "c");
      compare(format, (int)below(255) + 1);
      break;
    case 1:
      sprintf(at, "p");
      compare(format, one_in(4) ? NULL : (void*)(uintptr_t)random64());
      break;
    case 2:
      sprintf(at, "s|%%*d|%%-.*s");
      compare(format, text, (int)below(20) - 10, 42, (int)below(10) - 2, text);
      break;
    default:
      sprintf(at, "s");
      compare(format, one_in(10) ? NULL : text);
  }
}

static void compare_wide_text(void) {
  static const wchar_t alphabet[] = L"ab \u00e9\u20ac\U0001f600";
  char format[64];
  wchar_t text[12];
  char* at = random_options(format, "-", 12);
  unsigned length = below(8);
  for (unsigned i = 0; i < length; ++i) text[i] = one_in(20) ? 0xd800 : alphabet[below(one_in(2) ? 6 : 3)];
  text[length] = 0;
  if (one_in(3)) {
    sprintf(at, "%s", one_in(2) ? "lc" : "C");
    compare(format, (wint_t)text[0]);
  } else {
    sprintf(at, "%s", one_in(2) ? "ls" : "S");
    compare(format, one_in(10) ? NULL : text);
  }
}

static void compare_real(void) {
  static const char conversions[] = "eEfFgGaA";
  char format[64];
  char* at = random_options(format, "-+ #0", one_in(10) ? 400 : 25);
  char conversion = conversions[below(8)];
  /* glibc drops the zeros that # keeps where rounding carries into a new digit; fixed formats cover # with %g. */
  if (strchr(format, '#') != NULL && (conversion | 32) == 'g') conversion ^= 'g' ^ 'e';
  if (one_in(2)) {
    sprintf(at, "%c", conversion);
    compare(format, random_double());
  } else {
    sprintf(at, "L%c", conversion);
    compare(format, random_long_double());
  }
}

static void compare_fixed(void) {
  int model_count[4] = {0}, library_count[4] = {0};
  compare("");
  compare("plain");
  compare("100%% of %d%%", 5);
  compare("%5%|%-5%|%y %k|", 1);
  compare("cut off %", 1);
  compare("cut off %-5.3l", 1);
  compare("%2$d %1$d", 1, 2);
  compare("%2$s %1$*3$d %2$.*3$s", 1, "text", 5);
  compare("%3$Lf %1$d %2$lld", 7, 1ll << 40, 1.5L);
  compare("%1$s%1$s%1$s", "ab");
  compare("%.0f %.0f %.0f %.0f %.0f", 0.5, 1.5, 2.5, 3.5, -0.5);
  compare("%.17g %.17g %.15g %.3g", 0.1, 1.0 / 3, 1e15, 999.5);
  compare("%Lf", LDBL_MAX);
  compare("%.20Lg %La", LDBL_MIN, LDBL_MIN);
  compare("%.16500Lf", LDBL_TRUE_MIN);
  compare("%.12000Le", LDBL_TRUE_MIN);
  compare("%.1100f", DBL_TRUE_MIN);
  compare("%f %.0e %#.0f %#.0e %#g %g", DBL_MAX, 15.0, 3.0, 3.0, 1.0, 100000.0);
  compare("%#g %#.3g %#.10g %#G %#.0g %#g", 0.0, 12.0, 0.001, 1e-7, 5.0, 123456789.0);
  compare("%a %a %a %.0a %.1a %.13a %.20a", 1.0, 0.0, DBL_TRUE_MIN, 1.5, 1.96875, 0.1, 0.1);
  compare("%La %La %.0La %.3La", 1.0L, LDBL_MAX, LDBL_MAX, 0.1L);
  compare("%f %F %e %010f %-10f| %+f % f", __builtin_inf(), -__builtin_inf(), __builtin_nan(""), __builtin_inf(),
          __builtin_inf(), __builtin_nan(""), __builtin_inf());
  compare("%d %i %u %o %x %X %#o %#x %#X %b %#b", 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 5);
  compare("%.0d|%.0x|%#.0o|%5.0d|%+.0d", 0, 0, 0, 0, 0);
  compare("%'d %Id", 1234567, 5);
  compare("%ls|%.2ls|%5lc|%S|%C", L"wide", L"wide", L'w', L"upper", L'u');
  compare("%ls", L"\u00e9");
  compare("%2147483648d", 1);
  compare("%s %.3s %.6s %10s", (char*)NULL, (char*)NULL, (char*)NULL, (char*)NULL);
  compare("%hhd %hd %hhu %hu", 300, 70000, 300, 70000);
  errno = *model___errno_location() = ENOENT;
  compare("%m %d", 3);
  model_snprintf(model_text, Room, "ab%ncd%hhnef%lln", &model_count[0], (signed char*)&model_count[1],
                 (long long*)&model_count[2]);
  snprintf(library_text, Room, "ab%ncd%hhnef%lln", &library_count[0], (signed char*)&library_count[1],
           (long long*)&library_count[2]);
  check_bytes(model_count, library_count, sizeof model_count, "printf %%n");
}

static void test_variants(void) {
  char* text = NULL;
  check(model_sprintf(model_text, "%d-%s", 12, "ab") == 5 && strcmp(model_text, "12-ab") == 0, "sprintf");
  check(model_asprintf(&text, "%0500d", 7) == 500 && strlen(text) == 500, "asprintf");
  free(text);
  check(model___sprintf_chk(model_text, 1, 8, "%s", "1234567") == 7, "__sprintf_chk");
  check(model___snprintf_chk(model_text, 4, 1, 8, "%s", "1234567") == 7 && strcmp(model_text, "123") == 0,
        "__snprintf_chk");
}

void test_printf(void) {
  compare_fixed();
  test_variants();
  for (int i = 0; i < 20000; ++i) {
    compare_integer();
    compare_text();
    compare_wide_text();
    compare_real();
  }
}
