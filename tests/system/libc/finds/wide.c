// Wide strings made of bytes, their classes, case and numbers.
#include <locale.h>
#include <plumb/plumb.h>
#include <stdlib.h>
#include <wchar.h>
#include <wctype.h>

int main(void) {
  char text[6];
  wchar_t wide[6];
  plumb_symbolic(text, sizeof text, "text");
  text[5] = 0;
  setlocale(LC_ALL, "C.UTF-8");
  if (mbstowcs(wide, text, 6) == (size_t)-1) return 1;
  if (wcscmp(wide, L"\u00e9\u20ac") == 0) return 2;
  if (wide[0] < 128 && wcstol(wide, NULL, 10) == 314) return 3;
  if (wide[0] < 128 && iswupper((wint_t)wide[0]) && towlower((wint_t)wide[0]) == L'q') return 4;
  if (wcschr(wide, L'/') == wide + 3) return 5;
  return 0;
}
