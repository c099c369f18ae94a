// <locale.h>, <langinfo.h> and message translation. There are the locales "C" and "C.UTF-8", which differ in their
// characters alone; in a single run the environment names none, and no others are installed.

#include <limits.h>

#include "host.h"
#include "text.h"
#include "wide.h"

enum { CategoryAll = 6, CategoryCount = 13, CategoryCtype = 0 };

// As the program named it.
static const char* names[CategoryCount] = {"C", "C", "C", "C", "C", "C", "C", "C", "C", "C", "C", "C", "C"};

static const char* known_name(const char* locale) {
  static const char* const utf8_names[] = {"C.UTF-8", "C.utf8", "C.UTF8", "C.utf-8"};
  if (*locale == 0 || strncmp(locale, "C", 2) == 0 || strncmp(locale, "POSIX", 6) == 0) return "C";
  for (size_t i = 0; i < sizeof utf8_names / sizeof utf8_names[0]; ++i) {
    if (strncmp(locale, utf8_names[i], strlen(utf8_names[i]) + 1) == 0) return utf8_names[i];
  }
  return NULL;
}

static const char* const category_names[CategoryCount] = {
    "LC_CTYPE", "LC_NUMERIC", "LC_TIME",    "LC_COLLATE",   "LC_MONETARY",    "LC_MESSAGES",      "LC_ALL",
    "LC_PAPER", "LC_NAME",    "LC_ADDRESS", "LC_TELEPHONE", "LC_MEASUREMENT", "LC_IDENTIFICATION"};

static char* append(char* to, const char* text) {
  size_t size = strlen(text);
  memcpy(to, text, size);
  return to + size;
}

// One name if all categories have the same, else "LC_CTYPE=C.UTF-8;LC_NUMERIC=C;…".
static char* name_of_all(void) {
  static char composed[300];
  int differ = 0;
  for (int i = 0; i < CategoryCount; ++i) differ |= i != CategoryAll && names[i] != names[CategoryCtype];
  if (!differ) return (char*)names[CategoryCtype];
  char* to = composed;
  for (int i = 0; i < CategoryCount; ++i) {
    if (i == CategoryAll) continue;
    if (i > 0) *to++ = ';';
    to = append(to, category_names[i]);
    *to++ = '=';
    to = append(to, names[i]);
  }
  *to = 0;
  return composed;
}

// Sets all categories from a composed name; 0, and nothing is set, if it is not one.
static int set_composed(const char* locale) {
  const char* found[CategoryCount];
  for (int i = 0; i < CategoryCount; ++i) {
    found[i] = NULL;
    if (i == CategoryAll) continue;
    size_t size = strlen(category_names[i]);
    if (strncmp(locale, category_names[i], size) != 0 || locale[size] != '=') return 0;
    locale += size + 1;
    char name[8] = {0};
    size_t length = strcspn(locale, ";");
    if (length >= sizeof name) return 0;
    memcpy(name, locale, length);
    found[i] = known_name(name);
    if (found[i] == NULL) return 0;
    locale += length + (locale[length] == ';');
  }
  for (int i = 0; i < CategoryCount; ++i) {
    if (found[i] != NULL) names[i] = found[i];
  }
  return 1;
}

char* setlocale(int category, const char* locale) {
  if (category < 0 || category >= CategoryCount) {
    errno = EINVAL;
    return NULL;
  }
  if (locale != NULL) {
    const char* name = known_name(locale);
    if (*locale == 0 || name == NULL) plumb_host_gap("the locale");
    if (name == NULL && !(category == CategoryAll && set_composed(locale))) return NULL;
    for (int i = 0; name != NULL && i < CategoryCount; ++i) {
      if (category == i || category == CategoryAll) names[i] = name;
    }
  }
  return category == CategoryAll ? name_of_all() : (char*)names[category];
}

static int is_utf8(void) { return names[CategoryCtype][1] != 0; }

size_t __ctype_get_mb_cur_max(void) { return is_utf8() ? 6 : 1; }

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

// The items of LC_TIME from ABDAY_1 on.
static const char* const time_items[] = {"Sun",
                                         "Mon",
                                         "Tue",
                                         "Wed",
                                         "Thu",
                                         "Fri",
                                         "Sat",
                                         "Sunday",
                                         "Monday",
                                         "Tuesday",
                                         "Wednesday",
                                         "Thursday",
                                         "Friday",
                                         "Saturday",
                                         "Jan",
                                         "Feb",
                                         "Mar",
                                         "Apr",
                                         "May",
                                         "Jun",
                                         "Jul",
                                         "Aug",
                                         "Sep",
                                         "Oct",
                                         "Nov",
                                         "Dec",
                                         "January",
                                         "February",
                                         "March",
                                         "April",
                                         "May",
                                         "June",
                                         "July",
                                         "August",
                                         "September",
                                         "October",
                                         "November",
                                         "December",
                                         "AM",
                                         "PM",
                                         "%a %b %e %H:%M:%S %Y",
                                         "%m/%d/%y",
                                         "%H:%M:%S",
                                         "%I:%M:%S %p"};

char* nl_langinfo(int item) {
  enum { Codeset = 14, RadixCharacter = 0x10000, FirstTime = 0x20000, Currency = 0x4000f, Yes = 0x50000, No = 0x50001 };
  const char* text = "";
  if (item == Codeset) text = is_utf8() ? "UTF-8" : "ANSI_X3.4-1968";
  if (item == RadixCharacter) text = ".";
  if (item == Currency) text = "-";
  if (item == Yes) text = "^[yY]";
  if (item == No) text = "^[nN]";
  if (item >= FirstTime && item < FirstTime + (int)(sizeof time_items / sizeof time_items[0])) {
    text = time_items[item - FirstTime];
  }
  return (char*)text;
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
