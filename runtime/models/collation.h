#pragma once

// Collation in the locales "C" and "C.UTF-8": by bytes, and by code points.

#include "text.h"
#include "wide.h"

int strcmp(const char* a, const char* b);
int wcscmp(const wchar_t* a, const wchar_t* b);

static inline size_t plumb_copy_string(char* to, const char* from, size_t size) {
  size_t length = strlen(from);
  if (size > 0) memcpy(to, from, length < size ? length + 1 : size);
  return length;
}

static inline size_t plumb_copy_wide_string(wchar_t* to, const wchar_t* from, size_t size) {
  size_t length = wcslen(from);
  if (size > 0) memcpy(to, from, (length < size ? length + 1 : size) * sizeof *to);
  return length;
}
