/* Runs all suites, or those named, in both locales, and prints how many comparisons each made. */

#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

static unsigned long comparisons;
static unsigned long differences;

enum { MostReported = 20 };
static unsigned long reported; /* of the current suite */

static void report(const char* format, va_list arguments) {
  ++differences;
  if (++reported > MostReported) return;
  fputs("differs: ", stdout);
  vprintf(format, arguments);
  fputs("\n", stdout);
}

void check(int agrees, const char* format, ...) {
  ++comparisons;
  if (agrees) return;
  va_list arguments;
  va_start(arguments, format);
  report(format, arguments);
  va_end(arguments);
}

void check_bytes(const void* model, const void* library, size_t size, const char* format, ...) {
  ++comparisons;
  if (memcmp(model, library, size) == 0) return;
  va_list arguments;
  va_start(arguments, format);
  report(format, arguments);
  va_end(arguments);
}

const char* quoted(const char* text) {
  static char buffers[6][400];
  static unsigned next;
  char* to = buffers[next++ % 6];
  size_t used = 0;
  to[used++] = '"';
  for (; *text != 0 && used < 390; ++text) {
    unsigned char byte = (unsigned char)*text;
    used += (size_t)sprintf(to + used, byte < 32 || byte > 126 ? "\\x%02x" : "%c", byte);
  }
  to[used++] = '"';
  to[used] = 0;
  return to;
}

uint64_t random64(void) {
  static uint64_t state = 0x9e3779b97f4a7c15u;
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state * 0x2545f4914f6cdd1du;
}

unsigned below(unsigned limit) { return (unsigned)((random64() >> 32) * limit >> 32); }
int one_in(unsigned chances) { return below(chances) == 0; }

void random_text(char* to, size_t longest, const char* alphabet) {
  size_t length = below((unsigned)longest + 1);
  unsigned letters = (unsigned)strlen(alphabet);
  for (size_t i = 0; i < length; ++i) to[i] = alphabet[below(letters)];
  to[length] = 0;
}

double random_double(void) {
  static const double special[] = {0.0,
                                   -0.0,
                                   1.0,
                                   0.5,
                                   1.5,
                                   2.5,
                                   9.5,
                                   99.5,
                                   0.1,
                                   999999.5,
                                   1e15,
                                   1e16,
                                   1e17,
                                   1e22,
                                   1e23,
                                   5e-324,
                                   2.2250738585072014e-308,
                                   2.2250738585072009e-308,
                                   1.7976931348623157e308,
                                   1e-4,
                                   1e-5,
                                   9.9999e-5,
                                   0.00012345,
                                   123456789.0,
                                   __builtin_inf(),
                                   -__builtin_inf()};
  double value;
  volatile double stored; /* without excess precision */
  uint64_t bits = random64();
  switch (below(6)) {
    case 0:
      return special[below(sizeof special / sizeof special[0])];
    case 1:
      stored = (double)(int)below(2000000) / (1 << below(12));
      return stored;
    case 2:
      stored = (double)(int32_t)bits / 1000;
      return stored;
    case 3:
      bits &= ~0ull << below(53); /* few digits */
      break;
    case 4:
      bits &= 0x800fffffffffffffull; /* subnormal */
      break;
    default:
      break;
  }
  memcpy(&value, &bits, sizeof value);
  return value == value || one_in(10) ? value : 1.25;
}

long double random_long_double(void) {
  if (one_in(3)) return random_double();
  long double value = 0;
  uint64_t mantissa = random64() | 1ull << 63;
  unsigned exponent = one_in(20) ? below(0x7fff) : 16383 - 70 + below(140);
  if (one_in(3)) mantissa &= ~0ull << below(64);
  if (one_in(100)) {
    exponent = 0;
    mantissa &= ~(1ull << 63);
  }
  uint16_t top = (uint16_t)(exponent | (exponent > 0 && mantissa == 0 ? 0 : below(2) << 15));
  memcpy(&value, &mantissa, sizeof mantissa);
  memcpy((char*)&value + 8, &top, sizeof top);
  return value;
}

MODEL(setlocale);

struct suite {
  const char* name;
  void (*run)(void);
};

int main(int argc, char** argv) {
  static const struct suite suites[] = {
      {"memory", test_memory},   {"strings", test_strings}, {"ctype", test_ctype},         {"integers", test_integers},
      {"reals", test_reals},     {"printf", test_printf},   {"scanf", test_scanf},         {"streams", test_streams},
      {"sorting", test_sorting}, {"random", test_random},   {"time", test_time},           {"math", test_math},
      {"getopt", test_getopt},   {"locale", test_locale},   {"multibyte", test_multibyte}, {"wide", test_wide},
      {"classes", test_classes},
  };
  static const char* const locales[] = {"C", "C.UTF-8"};
  unsigned long all = 0;
  for (size_t l = 0; l < sizeof locales / sizeof locales[0]; ++l) {
    if (setlocale(LC_ALL, locales[l]) == NULL || model_setlocale(LC_ALL, locales[l]) == NULL) return 2;
    for (size_t i = 0; i < sizeof suites / sizeof suites[0]; ++i) {
      int wanted = argc < 2;
      for (int k = 1; k < argc; ++k) wanted |= strcmp(argv[k], suites[i].name) == 0;
      if (!wanted) continue;
      comparisons = 0;
      reported = 0;
      suites[i].run();
      printf("%-9s %-7s %9lu comparisons\n", suites[i].name, locales[l], comparisons);
      all += comparisons;
    }
  }
  printf("%-17s %9lu comparisons, %lu differences\n", "all", all, differences);
  return differences == 0 && all > 0 ? 0 : 1;
}
