// <wchar.h>: strings and blocks of wide characters.

#include "host.h"
#include "text.h"
#include "wide.h"

size_t wcslen(const wchar_t* text) {
  size_t length = 0;
  while (text[length] != 0) ++length;
  return length;
}

size_t wcsnlen(const wchar_t* text, size_t size) {
  size_t length = 0;
  while (length < size && text[length] != 0) ++length;
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

int wcsncasecmp(const wchar_t* a, const wchar_t* b, size_t size) {
  for (size_t i = 0; i < size; ++i) {
    wide_int left = towlower((wide_int)a[i]);
    wide_int right = towlower((wide_int)b[i]);
    if (left != right) return left < right ? -1 : 1;
    if (left == 0) return 0;
  }
  return 0;
}

int wcscasecmp(const wchar_t* a, const wchar_t* b) { return wcsncasecmp(a, b, (size_t)-1); }

wchar_t* wcpcpy(wchar_t* restrict to, const wchar_t* restrict from) {
  for (; *from != 0; ++from) *to++ = *from;
  *to = 0;
  return to;
}

wchar_t* wcscpy(wchar_t* restrict to, const wchar_t* restrict from) {
  for (size_t i = 0;; ++i) {
    to[i] = from[i];
    if (from[i] == 0) return to;
  }
}

wchar_t* wcpncpy(wchar_t* restrict to, const wchar_t* restrict from, size_t size) {
  size_t length = 0;
  for (; length < size && from[length] != 0; ++length) to[length] = from[length];
  for (size_t i = length; i < size; ++i) to[i] = 0;
  return to + length;
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

wchar_t* wcsncat(wchar_t* restrict to, const wchar_t* restrict from, size_t size) {
  wchar_t* end = to + wcslen(to);
  for (; size > 0 && *from != 0; --size) *end++ = *from++;
  *end = 0;
  return to;
}

wchar_t* wcschr(const wchar_t* text, wchar_t wide) {
  for (; *text != wide; ++text) {
    if (*text == 0) return NULL;
  }
  return (wchar_t*)text;
}

wchar_t* wcschrnul(const wchar_t* text, wchar_t wide) {
  while (*text != 0 && *text != wide) ++text;
  return (wchar_t*)text;
}

wchar_t* wcsrchr(const wchar_t* text, wchar_t wide) {
  for (size_t i = wcslen(text) + 1; i > 0; --i) {
    if (text[i - 1] == wide) return (wchar_t*)text + i - 1;
  }
  return NULL;
}

size_t wcsspn(const wchar_t* text, const wchar_t* accepted) {
  size_t length = 0;
  while (text[length] != 0 && wcschr(accepted, text[length]) != NULL) ++length;
  return length;
}

size_t wcscspn(const wchar_t* text, const wchar_t* rejected) {
  size_t length = 0;
  while (text[length] != 0 && wcschr(rejected, text[length]) == NULL) ++length;
  return length;
}

wchar_t* wcspbrk(const wchar_t* text, const wchar_t* accepted) {
  text += wcscspn(text, accepted);
  return *text != 0 ? (wchar_t*)text : NULL;
}

wchar_t* wcsstr(const wchar_t* text, const wchar_t* wanted) {
  size_t length = wcslen(wanted);
  for (;; ++text) {
    if (wcsncmp(text, wanted, length) == 0) return (wchar_t*)text;
    if (*text == 0) return NULL;
  }
}

wchar_t* wcswcs(const wchar_t* text, const wchar_t* wanted) { return wcsstr(text, wanted); }

wchar_t* wcstok(wchar_t* restrict text, const wchar_t* restrict delimiters, wchar_t** restrict rest) {
  if (text == NULL) text = *rest;
  if (text == NULL) return NULL;
  text += wcsspn(text, delimiters);
  if (*text == 0) {
    *rest = NULL;
    return NULL;
  }
  wchar_t* end = text + wcscspn(text, delimiters);
  *rest = *end != 0 ? end + 1 : NULL;
  *end = 0;
  return text;
}

wchar_t* wcsdup(const wchar_t* text) {
  size_t size = (wcslen(text) + 1) * sizeof *text;
  wchar_t* copy = malloc(size);
  return copy != NULL ? memcpy(copy, text, size) : NULL;
}

wchar_t* wmemcpy(wchar_t* restrict to, const wchar_t* restrict from, size_t count) {
  return memcpy(to, from, count * sizeof *to);
}

wchar_t* wmempcpy(wchar_t* restrict to, const wchar_t* restrict from, size_t count) {
  return wmemcpy(to, from, count) + count;
}

wchar_t* wmemmove(wchar_t* to, const wchar_t* from, size_t count) { return memmove(to, from, count * sizeof *to); }

wchar_t* wmemset(wchar_t* to, wchar_t wide, size_t count) {
  for (size_t i = 0; i < count; ++i) to[i] = wide;
  return to;
}

wchar_t* wmemchr(const wchar_t* text, wchar_t wide, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    if (text[i] == wide) return (wchar_t*)text + i;
  }
  return NULL;
}

int wmemcmp(const wchar_t* a, const wchar_t* b, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
  }
  return 0;
}

// The checked variants that _FORTIFY_SOURCE calls.
#define CHECKED(name)                                                                                     \
  wchar_t* __##name##_chk(wchar_t* restrict to, const wchar_t* restrict from, size_t size, size_t room) { \
    if (size > room) abort();                                                                             \
    return name(to, from, size);                                                                          \
  }
CHECKED(wcsncpy)
CHECKED(wcpncpy)
CHECKED(wmemcpy)
CHECKED(wmempcpy)

wchar_t* __wmemmove_chk(wchar_t* to, const wchar_t* from, size_t size, size_t room) {
  if (size > room) abort();
  return wmemmove(to, from, size);
}

wchar_t* __wmemset_chk(wchar_t* to, wchar_t wide, size_t size, size_t room) {
  if (size > room) abort();
  return wmemset(to, wide, size);
}

wchar_t* __wcscpy_chk(wchar_t* restrict to, const wchar_t* restrict from, size_t room) {
  if (wcslen(from) >= room) abort();
  return wcscpy(to, from);
}

wchar_t* __wcpcpy_chk(wchar_t* restrict to, const wchar_t* restrict from, size_t room) {
  if (wcslen(from) >= room) abort();
  return wcpcpy(to, from);
}

wchar_t* __wcscat_chk(wchar_t* restrict to, const wchar_t* restrict from, size_t room) {
  if (wcslen(to) + wcslen(from) >= room) abort();
  return wcscat(to, from);
}

wchar_t* __wcsncat_chk(wchar_t* restrict to, const wchar_t* restrict from, size_t size, size_t room) {
  if (wcslen(to) + wcsnlen(from, size) >= room) abort();
  return wcsncat(to, from, size);
}
