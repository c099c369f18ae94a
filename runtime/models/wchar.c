// <wchar.h> and the multibyte functions of <stdlib.h> in the "C" locale: a character is one byte of ASCII, other bytes
// are no characters.

#include "host.h"
#include "text.h"

typedef unsigned wide_int;
#define WEOF ((wide_int) - 1)

static size_t illegal(void) {
  errno = EILSEQ;
  return (size_t)-1;
}

size_t mbrtowc(wchar_t* restrict to, const char* restrict from, size_t size, void* restrict state) {
  (void)state;
  if (from == NULL) return 0;
  if (size == 0) return (size_t)-2;
  if ((unsigned char)*from > 127) return illegal();
  if (to != NULL) *to = *from;
  return *from != 0;
}

size_t mbrlen(const char* restrict from, size_t size, void* restrict state) { return mbrtowc(NULL, from, size, state); }

int mbtowc(wchar_t* restrict to, const char* restrict from, size_t size) {
  size_t result = mbrtowc(to, from, size, NULL);
  return result > 1 ? -1 : (int)result;
}

int mblen(const char* from, size_t size) { return mbtowc(NULL, from, size); }

size_t wcrtomb(char* restrict to, wchar_t from, void* restrict state) {
  (void)state;
  if (to == NULL) return 1;
  if ((unsigned long)from > 127) return illegal();
  *to = (char)from;
  return 1;
}

int wctomb(char* to, wchar_t from) { return to == NULL ? 0 : (int)wcrtomb(to, from, NULL); }
int mbsinit(const void* state) { return (void)state, 1; }
wide_int btowc(int byte) { return byte >= 0 && byte <= 127 ? (wide_int)byte : WEOF; }
int wctob(wide_int wide) { return wide <= 127 ? (int)wide : -1; }

size_t mbstowcs(wchar_t* restrict to, const char* restrict from, size_t size) {
  size_t count = 0;
  for (; to == NULL || count < size; ++count) {
    if ((unsigned char)from[count] > 127) return illegal();
    if (to != NULL) to[count] = from[count];
    if (from[count] == 0) break;
  }
  return count;
}

size_t wcstombs(char* restrict to, const wchar_t* restrict from, size_t size) {
  size_t count = 0;
  for (; to == NULL || count < size; ++count) {
    if ((unsigned long)from[count] > 127) return illegal();
    if (to != NULL) to[count] = (char)from[count];
    if (from[count] == 0) break;
  }
  return count;
}

size_t wcslen(const wchar_t* text) {
  size_t length = 0;
  while (text[length] != 0) ++length;
  return length;
}

int wcsncmp(const wchar_t* a, const wchar_t* b, size_t size) {
  for (size_t i = 0; i < size; ++i) {
    if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
    if (a[i] == 0) return 0;
  }
  return 0;
}

int wcscmp(const wchar_t* a, const wchar_t* b) { return wcsncmp(a, b, (size_t)-1); }

wchar_t* wcscpy(wchar_t* restrict to, const wchar_t* restrict from) {
  memcpy(to, from, (wcslen(from) + 1) * sizeof *to);
  return to;
}

wchar_t* wcsncpy(wchar_t* restrict to, const wchar_t* restrict from, size_t size) {
  size_t i = 0;
  for (; i < size && from[i] != 0; ++i) to[i] = from[i];
  for (; i < size; ++i) to[i] = 0;
  return to;
}

wchar_t* wcscat(wchar_t* restrict to, const wchar_t* restrict from) {
  wcscpy(to + wcslen(to), from);
  return to;
}

wchar_t* wcschr(const wchar_t* text, wchar_t wide) {
  for (; *text != wide; ++text) {
    if (*text == 0) return NULL;
  }
  return (wchar_t*)text;
}

wchar_t* wmemcpy(wchar_t* restrict to, const wchar_t* restrict from, size_t count) {
  return memcpy(to, from, count * sizeof *to);
}
wchar_t* wmemmove(wchar_t* to, const wchar_t* from, size_t count) { return memmove(to, from, count * sizeof *to); }
wchar_t* wmemset(wchar_t* to, wchar_t wide, size_t count) {
  for (size_t i = 0; i < count; ++i) to[i] = wide;
  return to;
}

int islower(int byte);
int isupper(int byte);
int isprint(int byte);
int ispunct(int byte);
int iscntrl(int byte);
int isxdigit(int byte);
static int narrow(wide_int wide) { return wide <= 127 ? (int)wide : -1; }
int iswalnum(wide_int wide) { return isalnum(narrow(wide)); }
int iswalpha(wide_int wide) { return isalpha(narrow(wide)); }
int iswdigit(wide_int wide) { return isdigit(narrow(wide)); }
int iswspace(wide_int wide) { return isspace(narrow(wide)); }
int iswlower(wide_int wide) { return islower(narrow(wide)); }
int iswupper(wide_int wide) { return isupper(narrow(wide)); }
int iswprint(wide_int wide) { return isprint(narrow(wide)); }
int iswpunct(wide_int wide) { return ispunct(narrow(wide)); }
int iswcntrl(wide_int wide) { return iscntrl(narrow(wide)); }
int iswxdigit(wide_int wide) { return isxdigit(narrow(wide)); }
wide_int towlower(wide_int wide) { return wide <= 127 ? (wide_int)tolower((int)wide) : wide; }
wide_int towupper(wide_int wide) { return wide <= 127 ? (wide_int)toupper((int)wide) : wide; }
int wcwidth(wchar_t wide) { return wide == 0 ? 0 : isprint(narrow((wide_int)wide)) ? 1 : -1; }
