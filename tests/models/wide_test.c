/* <wchar.h> and <wctype.h> in the current locale: strings over a small alphabet, and classes of all characters. */

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

#include "check.h"

MODEL(wcslen);
MODEL(wcsnlen);
MODEL(wcscmp);
MODEL(wcsncmp);
MODEL(wcscoll);
MODEL(wcsxfrm);
MODEL(wcscasecmp);
MODEL(wcsncasecmp);
MODEL(wcscpy);
MODEL(wcpcpy);
MODEL(wcsncpy);
MODEL(wcpncpy);
MODEL(wcscat);
MODEL(wcsncat);
MODEL(wcschr);
MODEL(wcschrnul);
MODEL(wcsrchr);
MODEL(wcsspn);
MODEL(wcscspn);
MODEL(wcspbrk);
MODEL(wcsstr);
MODEL(wcstok);
MODEL(wcsdup);
MODEL(wmemcpy);
MODEL(wmemmove);
MODEL(wmemset);
MODEL(wmemchr);
MODEL(wmemcmp);
MODEL(wcswidth);

enum { Longest = 10, Room = 40 };
static const wchar_t alphabet[] = L"abABc \u00e9\u00c9\u20ac\u4e2d";

static int sign(int value) { return (value > 0) - (value < 0); }

static void random_wide_text(wchar_t* to, size_t longest) {
  size_t length = below((unsigned)longest + 1);
  for (size_t i = 0; i < length; ++i) to[i] = alphabet[below(sizeof alphabet / sizeof alphabet[0] - 1)];
  to[length] = 0;
}

static void compare_order(const wchar_t* a, const wchar_t* b, size_t size) {
  check(model_wcslen(a) == wcslen(a) && model_wcsnlen(a, size) == wcsnlen(a, size), "wcslen %ls %zu", a, size);
  check(sign(model_wcscmp(a, b)) == sign(wcscmp(a, b)), "wcscmp");
  check(sign(model_wcsncmp(a, b, size)) == sign(wcsncmp(a, b, size)), "wcsncmp");
  check(sign(model_wcscoll(a, b)) == sign(wcscoll(a, b)), "wcscoll");
  check(sign(model_wcscasecmp(a, b)) == sign(wcscasecmp(a, b)), "wcscasecmp");
  check(sign(model_wcsncasecmp(a, b, size)) == sign(wcsncasecmp(a, b, size)), "wcsncasecmp");
  check(sign(model_wmemcmp(a, b, size)) == sign(wmemcmp(a, b, size)), "wmemcmp");
  check(model_wcswidth(a, size) == wcswidth(a, size), "wcswidth: %d, not %d", model_wcswidth(a, size),
        wcswidth(a, size));
}

static void compare_search(const wchar_t* a, const wchar_t* b, wchar_t wide, size_t size) {
  check(model_wcschr(a, wide) == wcschr(a, wide), "wcschr");
  check(model_wcschrnul(a, wide) == wcschrnul(a, wide), "wcschrnul");
  check(model_wcsrchr(a, wide) == wcsrchr(a, wide), "wcsrchr");
  check(model_wcsspn(a, b) == wcsspn(a, b), "wcsspn");
  check(model_wcscspn(a, b) == wcscspn(a, b), "wcscspn");
  check(model_wcspbrk(a, b) == wcspbrk(a, b), "wcspbrk");
  check(model_wcsstr(a, b) == wcsstr(a, b), "wcsstr");
  check(model_wmemchr(a, wide, size) == wmemchr(a, wide, size), "wmemchr");
}

static void compare_copies(const wchar_t* a, const wchar_t* b, size_t size) {
  wchar_t model[Room], library[Room];
  wmemset(model, L'x', Room);
  check(model_wmemset(library, L'x', Room) == library, "wmemset");
  check_bytes(model, library, sizeof model, "wmemset");
#define SAME(call)                                                   \
  do {                                                               \
    wchar_t* to = model;                                             \
    wchar_t* model_end = model_##call;                               \
    to = library;                                                    \
    wchar_t* library_end = call;                                     \
    check(model_end - model == library_end - library, #call " end"); \
    check_bytes(model, library, sizeof model, #call);                \
  } while (0)
  SAME(wcscpy(to, a));
  SAME(wcscat(to, b));
  SAME(wcsncat(to, a, size));
  SAME(wcsncpy(to, b, size));
  SAME(wcpncpy(to, a, size));
  SAME(wcpcpy(to, b));
  SAME(wmemcpy(to, a, size));
  SAME(wmemmove(to + 1, to, size));
  check(model_wcsxfrm(model, a, size) == wcsxfrm(library, a, size), "wcsxfrm");
  if (wcslen(a) < size) check_bytes(model, library, sizeof model, "wcsxfrm");
  wchar_t* copy = model_wcsdup(a);
  check(wcscmp(copy, a) == 0, "wcsdup");
  free(copy);
  wchar_t *model_rest, *library_rest;
  wcscpy(model, a);
  wcscpy(library, a);
  for (int i = 0; i < 4; ++i) {
    wchar_t* model_token = model_wcstok(i == 0 ? model : NULL, b, &model_rest);
    wchar_t* token = wcstok(i == 0 ? library : NULL, b, &library_rest);
    check((model_token == NULL) == (token == NULL) && (token == NULL || model_token - model == token - library),
          "wcstok");
  }
  check_bytes(model, library, (wcslen(a) + 1) * sizeof *a, "wcstok leaves");
}

MODEL(wcstol);
MODEL(wcstoul);
MODEL(wcstoll);
MODEL(wcstoull);
MODEL(wcstoimax);
MODEL(wcstoumax);
MODEL(wcstof);
MODEL(wcstod);
MODEL(wcstold);
extern int* model___errno_location(void);

#define SAME_NUMBER(type, name, ...)                                                                              \
  do {                                                                                                            \
    wchar_t *model_end = NULL, *library_end = NULL;                                                               \
    type model_value, library_value;                                                                              \
    memset(&model_value, 0, sizeof model_value);                                                                  \
    memset(&library_value, 0, sizeof library_value);                                                              \
    *model___errno_location() = errno = 0;                                                                        \
    model_value = model_##name(text, &model_end __VA_ARGS__);                                                     \
    library_value = name(text, &library_end __VA_ARGS__);                                                         \
    check(model_end == library_end && *model___errno_location() == errno, #name " %s: end %td, not %td",          \
          quoted(narrow), model_end - text, library_end - text);                                                  \
    check_bytes(&model_value, &library_value, sizeof(type) > 8 ? 10 : sizeof(type), #name " %s", quoted(narrow)); \
  } while (0)

static void compare_numbers(void) {
  static const wchar_t letters[] = L"0123456789+-.exXapn() \t\u2003\u00e9";
  static const int bases[] = {0, 2, 8, 10, 16, 36, 1};
  wchar_t text[90];
  char narrow[90];
  unsigned length = one_in(20) ? 80 : below(14);
  for (unsigned i = 0; i < length; ++i) {
    text[i] = letters[below(one_in(3) ? (unsigned)(sizeof letters / sizeof letters[0] - 1) : 10)];
    narrow[i] = text[i] < 128 ? (char)text[i] : '?';
  }
  text[length] = 0;
  narrow[length] = 0;
  int base = bases[below(7)];
  SAME_NUMBER(long, wcstol, , base);
  SAME_NUMBER(unsigned long, wcstoul, , base);
  SAME_NUMBER(long long, wcstoll, , base);
  SAME_NUMBER(unsigned long long, wcstoull, , base);
  SAME_NUMBER(intmax_t, wcstoimax, , base);
  SAME_NUMBER(uintmax_t, wcstoumax, , base);
  SAME_NUMBER(float, wcstof, );
  SAME_NUMBER(double, wcstod, );
  SAME_NUMBER(long double, wcstold, );
}

void test_wide(void) {
  for (int i = 0; i < 4000; ++i) {
    wchar_t a[Room] = {0}, b[Room] = {0};
    random_wide_text(a, Longest);
    random_wide_text(b, one_in(2) ? Longest : 2);
    if (one_in(4)) wcscpy(b, a);
    compare_numbers();
    compare_order(a, b, below(Longest + 2));
    compare_search(a, b, one_in(5) ? 0 : alphabet[below(sizeof alphabet / sizeof alphabet[0])], below(Longest + 2));
    compare_copies(a, b, below(Longest + 2));
  }
}

#define DECLARE(function) MODEL(function);
DECLARE(towlower)
DECLARE(towupper)
DECLARE(wcwidth)
DECLARE(wctype)
DECLARE(iswctype)
DECLARE(wctrans)
DECLARE(towctrans)

#define CLASSES(X) \
  X(iswalnum)      \
  X(iswalpha)      \
  X(iswblank)      \
  X(iswcntrl) X(iswdigit) X(iswgraph) X(iswlower) X(iswprint) X(iswpunct) X(iswspace) X(iswupper) X(iswxdigit)
CLASSES(DECLARE)

static void compare_classes(wint_t wide) {
#define COMPARE(function) \
  check((model_##function(wide) != 0) == (function(wide) != 0), #function " %x", (unsigned)wide);
  CLASSES(COMPARE)
  check(model_towlower(wide) == towlower(wide), "towlower %x", (unsigned)wide);
  check(model_towupper(wide) == towupper(wide), "towupper %x", (unsigned)wide);
  check(model_wcwidth((wchar_t)wide) == wcwidth((wchar_t)wide), "wcwidth %x: %d, not %d", (unsigned)wide,
        model_wcwidth((wchar_t)wide), wcwidth((wchar_t)wide));
}

void test_classes(void) {
  for (wint_t wide = 0; wide < 0x110000; ++wide) compare_classes(wide);
  static const wint_t beyond[] = {0x110000, 0x1fffff, 0x200000, 0x7fffffff, 0x80000000, 0xfffffffe, WEOF};
  for (size_t i = 0; i < sizeof beyond / sizeof beyond[0]; ++i) compare_classes(beyond[i]);
  static const char* const names[] = {"alnum", "alpha", "blank", "cntrl", "digit", "graph",
                                      "lower", "print", "punct", "space", "upper", "xdigit"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
    for (wint_t wide = 0; wide < 0x300; ++wide) {
      check((model_iswctype(wide, model_wctype(names[i])) != 0) == (iswctype(wide, wctype(names[i])) != 0),
            "iswctype %x %s", (unsigned)wide, names[i]);
    }
  }
  check(model_wctype("none") == 0 && model_iswctype('a', 0) == 0, "wctype none");
  for (wint_t wide = 0; wide < 0x300; ++wide) {
    check(model_towctrans(wide, model_wctrans("toupper")) == towctrans(wide, wctrans("toupper")), "towctrans %x",
          (unsigned)wide);
    check(model_towctrans(wide, model_wctrans("tolower")) == towctrans(wide, wctrans("tolower")), "towctrans %x",
          (unsigned)wide);
  }
}
