// Characters of UTF-8 and of the "C" locale, and strings of them.
#include <locale.h>
#include <plumb/plumb.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

int main(void) {
  char text[4];
  wchar_t wide = 0;
  mbstate_t state;
  int is_utf8 = plumb_symbolic_int("locale") == 8;
  plumb_symbolic(text, sizeof text, "text");
  memset(&state, 0, sizeof state);
  if (is_utf8) setlocale(LC_ALL, "C.UTF-8");
  size_t size = mbrtowc(&wide, text, sizeof text, &state);
  if (size == (size_t)-1) return is_utf8 ? 1 : 2;
  if (size == (size_t)-2) return 3;
  if (wide == 0x20ac) return 4;
  if (wide == 0x1f600) return 5;
  if (wide == L'a') return 6;
  return 0;
}
