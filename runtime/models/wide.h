#pragma once

// Wide characters: the state of a conversion, which has glibc's layout, and the classes of characters.

#include <stddef.h>
#include <stdint.h>

typedef unsigned wide_int;  // wint_t
#define WEOF ((wide_int) - 1)

/// mbstate_t. Within a character `count` is its length << 8 | the bytes that were read, `value` what they say of it.
struct plumb_state {
  int count;
  wide_int value;
};

/// The multibyte characters are UTF-8; else they are ASCII.
int plumb_is_utf8(void);

size_t mbrtowc(wchar_t* restrict to, const char* restrict from, size_t size, void* restrict state);
size_t wcrtomb(char* restrict to, wchar_t from, void* restrict state);
size_t wcslen(const wchar_t* text);
wide_int towlower(wide_int wide);
wide_int towupper(wide_int wide);

enum plumb_class {
  ClassUpper,
  ClassLower,
  ClassAlpha,
  ClassDigit,
  ClassXdigit,
  ClassSpace,
  ClassPrint,
  ClassGraph,
  ClassBlank,
  ClassCntrl,
  ClassPunct,
  ClassAlnum,
  ClassCount,
};

/// Of characters beyond ASCII, in a UTF-8 locale, but for the small classes (digits, spaces, controls): the C library
/// beside us knows them (native/wide_class.c), or our tables (wide_class_table.c).
int plumb_wide_is(wide_int wide, enum plumb_class wanted);
wide_int plumb_wide_to_lower(wide_int wide);
wide_int plumb_wide_to_upper(wide_int wide);
int plumb_wide_width(wide_int wide);
