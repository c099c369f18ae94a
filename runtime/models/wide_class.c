// <wctype.h>: the classes of ASCII are those of <ctype.h>; beyond it there are characters in a UTF-8 locale alone.

#include "text.h"
#include "wide.h"

int isblank(int byte);

#define CLASS(narrow, wide_name, constant)                                   \
  int wide_name(wide_int wide) {                                             \
    if (wide <= 127) return narrow((int)wide);                               \
    return plumb_is_utf8() && wide != WEOF && plumb_wide_is(wide, constant); \
  }

CLASS(isupper, iswupper, ClassUpper)
CLASS(islower, iswlower, ClassLower)
CLASS(isalpha, iswalpha, ClassAlpha)
CLASS(isprint, iswprint, ClassPrint)
CLASS(isgraph, iswgraph, ClassGraph)
CLASS(ispunct, iswpunct, ClassPunct)
CLASS(isalnum, iswalnum, ClassAlnum)

// Classes that are small enough to be spelt out.
static int is_space_beyond(wide_int wide) {
  return wide == 0x1680 || (wide >= 0x2000 && wide <= 0x200a && wide != 0x2007) || wide == 0x205f || wide == 0x3000;
}

static int is_separator(wide_int wide) { return wide == 0x2028 || wide == 0x2029; }

int iswdigit(wide_int wide) { return wide >= '0' && wide <= '9'; }
int iswxdigit(wide_int wide) { return wide <= 127 && isxdigit((int)wide); }

int iswblank(wide_int wide) {
  if (wide <= 127) return isblank((int)wide);
  return plumb_is_utf8() && is_space_beyond(wide);
}

int iswspace(wide_int wide) {
  if (wide <= 127) return isspace((int)wide);
  return plumb_is_utf8() && (is_space_beyond(wide) || is_separator(wide));
}

int iswcntrl(wide_int wide) {
  if (wide <= 127) return iscntrl((int)wide);
  return plumb_is_utf8() && (wide <= 0x9f || is_separator(wide));
}

wide_int towlower(wide_int wide) {
  if (wide <= 127) return (wide_int)tolower((int)wide);
  return plumb_is_utf8() && wide != WEOF ? plumb_wide_to_lower(wide) : wide;
}

wide_int towupper(wide_int wide) {
  if (wide <= 127) return (wide_int)toupper((int)wide);
  return plumb_is_utf8() && wide != WEOF ? plumb_wide_to_upper(wide) : wide;
}

static int width_of(wchar_t wide) {
  if (wide == 0) return 0;
  if (wide > 0 && wide <= 127) return isprint((int)wide) ? 1 : -1;
  return plumb_is_utf8() ? plumb_wide_width((wide_int)wide) : -1;
}

int wcwidth(wchar_t wide) { return width_of(wide); }

int wcswidth(const wchar_t* text, size_t size) {
  int width = 0;
  for (size_t i = 0; i < size && text[i] != 0; ++i) {
    int one = width_of(text[i]);
    if (one < 0) return -1;
    width += one;
  }
  return width;
}
