// Collation beside a C library, whose locale may have an order of its own: then it is asked.

#include "../collation.h"

#include "../library.h"

char* setlocale(int category, const char* locale);

// The locale is C, POSIX or C.UTF-8.
static int is_plain(void) {
  enum { Collate = 3 };
  const char* name = setlocale(Collate, NULL);
  if (name == NULL) return 0;
  return (name[0] == 'C' && (name[1] == 0 || name[1] == '.')) || strncmp(name, "POSIX", 6) == 0;
}

int strcoll(const char* a, const char* b) { return is_plain() ? strcmp(a, b) : plumb_library_strcoll(a, b); }
int wcscoll(const wchar_t* a, const wchar_t* b) { return is_plain() ? wcscmp(a, b) : plumb_library_wcscoll(a, b); }

size_t strxfrm(char* restrict to, const char* restrict from, size_t size) {
  return is_plain() ? plumb_copy_string(to, from, size) : plumb_library_strxfrm(to, from, size);
}

size_t wcsxfrm(wchar_t* restrict to, const wchar_t* restrict from, size_t size) {
  return is_plain() ? plumb_copy_wide_string(to, from, size) : plumb_library_wcsxfrm(to, from, size);
}
