// purpose: Locales, UTF-8 characters and strings, classes beyond ASCII and wide numbers are those of the C library.
#define _GNU_SOURCE
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

static void show(const char* text) {
  mbstate_t state;
  size_t size = strlen(text) + 1;
  memset(&state, 0, sizeof state);
  for (size_t at = 0; at < size;) {
    wchar_t wide = 0;
    size_t used = mbrtowc(&wide, text + at, size - at, &state);
    if (used == 0) break;
    if (used >= (size_t)-2) {
      printf(" %d", (int)used);
      break;
    }
    wint_t given = (wint_t)wide;
    printf(" %x(%d%d%d %x %x %d)", given, !!iswalpha(given), !!iswspace(given), !!iswpunct(given), towupper(given),
           towlower(given), wcwidth(wide));
    at += used;
  }
  printf("\n");
}

int main(void) {
  const char* texts[] = {"plain", "\xc3\xa9\xc3\x89", "\xe2\x82\xac \xe4\xb8\xad", "\xf0\x9f\x98\x80!",
                         "a\xff", "\xe2\x82"};
  for (int round = 0; round < 2; ++round) {
    printf("%s %s %d\n", setlocale(LC_ALL, round == 0 ? "C" : "C.UTF-8"), nl_langinfo(CODESET), (int)MB_CUR_MAX);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) show(texts[i]);
  }
  wchar_t wide[20];
  printf("%d\n", (int)mbstowcs(wide, "\xce\xb1\xce\xb2\xce\xb3 12", 20));
  printf("%ls %d %d\n", wide, wcswidth(wide, 20), wcscasecmp(wide, L"\u0391\u0392\u0393 12"));
  wchar_t* end;
  printf("%ld %g\n", wcstol(wide + 3, &end, 10), wcstod(L"2.5e1x", NULL));
  printf("%s %s\n", setlocale(LC_CTYPE, "C"), setlocale(LC_ALL, NULL));
  return 0;
}
