#include "collation.h"

int strcoll(const char* a, const char* b) { return strcmp(a, b); }
int wcscoll(const wchar_t* a, const wchar_t* b) { return wcscmp(a, b); }

size_t strxfrm(char* restrict to, const char* restrict from, size_t size) { return plumb_copy_string(to, from, size); }

size_t wcsxfrm(wchar_t* restrict to, const wchar_t* restrict from, size_t size) {
  return plumb_copy_wide_string(to, from, size);
}
