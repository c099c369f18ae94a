/* Locales: names, what they say, and conventions. */

#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

MODEL(setlocale);
MODEL(nl_langinfo);
MODEL(localeconv);
MODEL(__ctype_get_mb_cur_max);

static void compare_names(int category, const char* name) {
  const char *model = model_setlocale(category, name), *library = setlocale(category, name);
  check((model == NULL) == (library == NULL) && (library == NULL || strcmp(model, library) == 0),
        "setlocale %d %s: %s, not %s", category, name != NULL ? name : "NULL", model, library);
}

static void compare_information(void) {
  static const nl_item items[] = {CODESET, RADIXCHAR, THOUSEP, YESEXPR,    NOEXPR, CRNCYSTR,
                                  D_T_FMT, D_FMT,     T_FMT,   T_FMT_AMPM, AM_STR, PM_STR};
  for (size_t i = 0; i < sizeof items / sizeof items[0]; ++i) {
    check(strcmp(model_nl_langinfo(items[i]), nl_langinfo(items[i])) == 0, "nl_langinfo %x: %s, not %s", items[i],
          model_nl_langinfo(items[i]), nl_langinfo(items[i]));
  }
  for (nl_item item = ABDAY_1; item <= MON_12; ++item) {
    check(strcmp(model_nl_langinfo(item), nl_langinfo(item)) == 0, "nl_langinfo %x", item);
  }
  check(model___ctype_get_mb_cur_max() == MB_CUR_MAX, "MB_CUR_MAX");
  struct lconv *model = model_localeconv(), *library = localeconv();
  check(strcmp(model->decimal_point, library->decimal_point) == 0 &&
            strcmp(model->thousands_sep, library->thousands_sep) == 0 &&
            strcmp(model->currency_symbol, library->currency_symbol) == 0 &&
            model->frac_digits == library->frac_digits && model->p_sign_posn == library->p_sign_posn,
        "localeconv");
}

void test_locale(void) {
  char* kept = strdup(setlocale(LC_ALL, NULL));
  static const char* const names[] = {"C",           "POSIX",  "C.UTF-8", "C.utf8", "C.UTF8", "none",
                                      "de_XX.UTF-8", "C.none", "LC_ALL",  "C;C",    "c",      NULL};
  static const int categories[] = {LC_ALL, LC_CTYPE, LC_NUMERIC, LC_TIME, LC_COLLATE, LC_MESSAGES, LC_IDENTIFICATION};
  for (int i = 0; i < 500; ++i) {
    compare_names(categories[below(7)], names[below(sizeof names / sizeof names[0])]);
    if (one_in(4)) {
      char* composed = strdup(setlocale(LC_ALL, NULL));
      compare_names(LC_ALL, NULL);
      compare_names(LC_ALL, "C");
      compare_names(LC_ALL, composed);
      free(composed);
    }
    compare_information();
  }
  check(model_setlocale(13, "C") == NULL && model_setlocale(-1, "C") == NULL, "setlocale of no category");
  compare_names(LC_ALL, kept);
  free(kept);
}
