#include <wchar.h>
#include <wctype.h>

#include "agree.h"

enum { Size = 8 };

static void compare_characters(const char* text) {
  mbstate_t model = {0}, library = {0};
  for (size_t at = 0; at < Size; ++at) {
    wchar_t a = 1, b = 1;
    size_t model_result = mbrtowc(&a, text + at, 1, &model), library_result = REAL(mbrtowc)(&b, text + at, 1, &library);
    MUST(model_result == library_result && a == b);
    if (library_result == (size_t)-1) break;
    if (library_result == (size_t)-2) continue;
    MUST((iswalpha((wint_t)a) != 0) == (REAL(iswalpha)((wint_t)a) != 0));
    MUST((iswprint((wint_t)a) != 0) == (REAL(iswprint)((wint_t)a) != 0));
    SAME(towupper, (wint_t)a);
    SAME(wcwidth, a);
    char bytes[8] = "xxxxxxx", other[8] = "xxxxxxx";
    MUST(wctomb(bytes, a) == REAL(wctomb)(other, a) && memcmp(bytes, other, 8) == 0);
  }
}

int main(void) {
  char text[Size];
  wchar_t wide[Size] = {0}, other[Size] = {0};
  unsigned char kind = plumb_symbolic_uchar("kind");
  plumb_symbolic(text, sizeof text, "text");
  text[Size - 1] = 0;
  if (kind > 50) setlocale(LC_ALL, "C.UTF-8");
  compare_characters(text);
  SAME(mblen, text, kind % 5u);
  size_t a = mbstowcs(wide, text, Size), b = REAL(mbstowcs)(other, text, Size);
  MUST(a == b);
  if (a == (size_t)-1) return 0;
  MUST(memcmp(wide, other, (a + 1) * sizeof *wide) == 0);
  SAME(wcslen, wide);
  SAME(wcswidth, wide, Size);
  SAME_SIGN(wcscasecmp, wide, L"Ab\u00e9");
  SAME(wcschr, wide, L'\u00e9');
  wchar_t *model_end, *library_end;
  MUST(wcstol(wide, &model_end, 0) == REAL(wcstol)(wide, &library_end, 0) && model_end == library_end);
  return 0;
}
