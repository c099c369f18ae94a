// <locale.h> and message translation: there is only the "C" locale.

#include <limits.h>
#include <stddef.h>

#include "text.h"

char* setlocale(int category, const char* locale) {
  (void)category;
  int known =
      locale == NULL || *locale == 0 || (locale[0] == 'C' && locale[1] == 0) || strncmp(locale, "POSIX", 6) == 0;
  return known ? (char*)"C" : NULL;
}

struct conventions {
  char* decimal_point;
  char* thousands_sep;
  char* grouping;
  char* texts[7];
  char numbers[14];
};

struct conventions* localeconv(void) {
  static char nothing[] = "";
  static char point[] = ".";
  static struct conventions conventions;
  conventions.decimal_point = point;
  conventions.thousands_sep = nothing;
  conventions.grouping = nothing;
  for (size_t i = 0; i < sizeof conventions.texts / sizeof conventions.texts[0]; ++i) conventions.texts[i] = nothing;
  memset(conventions.numbers, CHAR_MAX, sizeof conventions.numbers);
  return &conventions;
}

char* nl_langinfo(int item) {
  enum { Codeset = 14, RadixCharacter = 0x10000 };
  if (item == Codeset) return (char*)"ANSI_X3.4-1968";
  return (char*)(item == RadixCharacter ? "." : "");
}

char* gettext(const char* text) { return (char*)text; }
char* dgettext(const char* domain, const char* text) { return (void)domain, (char*)text; }
char* dcgettext(const char* domain, const char* text, int category) {
  return (void)domain, (void)category, (char*)text;
}
char* ngettext(const char* one, const char* many, unsigned long count) { return (char*)(count == 1 ? one : many); }
char* textdomain(const char* domain) { return (char*)domain; }
char* bindtextdomain(const char* domain, const char* directory) { return (void)domain, (char*)directory; }
char* dcngettext(const char* domain, const char* one, const char* many, unsigned long count, int category) {
  return (void)domain, (void)category, (char*)(count == 1 ? one : many);
}
