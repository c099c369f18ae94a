/* Multibyte characters and strings in the current locale: valid, illegal, cut off, and read in pieces. */

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <uchar.h>
#include <wchar.h>

#include "check.h"

MODEL(mbrtowc);
MODEL(mbrlen);
MODEL(mbtowc);
MODEL(mblen);
MODEL(mbsinit);
MODEL(mbrtoc32);
MODEL(c32rtomb);
MODEL(wcrtomb);
MODEL(wctomb);
MODEL(btowc);
MODEL(wctob);
MODEL(mbstowcs);
MODEL(mbsrtowcs);
MODEL(mbsnrtowcs);
MODEL(wcstombs);
MODEL(wcsrtombs);
MODEL(wcsnrtombs);
extern int* model___errno_location(void);

enum { Longest = 24, Room = 64 };

/* Pieces of UTF-8: characters of every length, and what is none. */
static const char* const pieces[] = {"a",
                                     "Z",
                                     " ",
                                     "\xc3\xa9",
                                     "\xe2\x82\xac",
                                     "\xf0\x9f\x98\x80",
                                     "\x80",
                                     "\xbf",
                                     "\xc0\x80",
                                     "\xc1",
                                     "\xc2",
                                     "\xe0\x80\x80",
                                     "\xe0\xa0",
                                     "\xed\xa0\x80",
                                     "\xed\x9f\xbf",
                                     "\xef\xbf\xbf",
                                     "\xf0\x80\x80\x80",
                                     "\xf4\x90\x80\x80",
                                     "\xf7\xbf\xbf\xbf",
                                     "\xf8\x88\x80\x80\x80",
                                     "\xfc\x84\x80\x80\x80\x80",
                                     "\xfd\xbf\xbf\xbf\xbf\xbf",
                                     "\xfe",
                                     "\xff",
                                     "\xf0\x90",
                                     "\xe2\x82",
                                     "\xf8\x80\x80\x80\x80",
                                     "\xfc\x80\x80\x80\x80\x80",
                                     "\xdf\xbf",
                                     "\x7f"};

static size_t random_bytes(char* to, size_t longest) {
  size_t size = 0;
  while (!one_in(6)) {
    char piece[8] = {0};
    if (one_in(8)) {
      piece[0] = (char)below(256);
    } else {
      strcpy(piece, pieces[below(sizeof pieces / sizeof pieces[0])]);
    }
    if (size + strlen(piece) >= longest) break;
    strcpy(to + size, piece);
    size += strlen(piece);
  }
  to[size] = 0;
  return size;
}

static wchar_t random_wide(void) {
  static const unsigned edges[] = {0,         1,          0x7f,       0x80,      0xff,     0x7ff,
                                   0x800,     0xd7ff,     0xd800,     0xdfff,    0xe000,   0xffff,
                                   0x10000,   0x10ffff,   0x110000,   0x1fffff,  0x200000, 0x3ffffff,
                                   0x4000000, 0x7fffffff, 0x80000000, 0xffffffff};
  if (one_in(2)) return (wchar_t)edges[below(sizeof edges / sizeof edges[0])];
  return (wchar_t)(random64() >> (32 + below(32)));
}

/* errno of a call, which starts from zero. */
#define MODEL_ERRNO (*model___errno_location())
static void forget_errors(void) { MODEL_ERRNO = errno = 0; }

/* Reads a string in pieces of random size, as from a file. */
static void compare_pieces(const char* text, size_t size) {
  mbstate_t model = {0}, library = {0};
  size_t at = 0;
  for (int i = 0; i < 40 && at <= size; ++i) {
    wchar_t a = 7, b = 7;
    size_t step = below((unsigned)(size - at) + 1);
    if (step > 7) step = 7;
    forget_errors();
    size_t model_result, library_result;
    switch (below(3)) {
      case 0:
        model_result = model_mbrlen(text + at, step, &model);
        library_result = mbrlen(text + at, step, &library);
        break;
      case 1:
        model_result = model_mbrtoc32((char32_t*)&a, text + at, step, &model);
        library_result = mbrtoc32((char32_t*)&b, text + at, step, &library);
        break;
      default:
        model_result = model_mbrtowc(&a, text + at, step, &model);
        library_result = mbrtowc(&b, text + at, step, &library);
    }
    check(model_result == library_result && a == b && MODEL_ERRNO == errno, "mbrtowc %s from %zu, %zu: %zd, not %zd",
          quoted(text), at, step, model_result, library_result);
    if (model_result != library_result || library_result == (size_t)-1) break;
    check(model.__count == library.__count && (library.__count == 0 || model.__value.__wch == library.__value.__wch),
          "mbrtowc %s at %zu %zu: state %x %x, not %x %x", quoted(text), at, step, model.__count, model.__value.__wch,
          library.__count, library.__value.__wch);
    check((model_mbsinit(&model) != 0) == (mbsinit(&library) != 0), "mbsinit %s", quoted(text));
    at += library_result == (size_t)-2 ? step : library_result;
  }
}

static void compare_character(const char* text, size_t size) {
  wchar_t a = 7, b = 7;
  forget_errors();
  int model_result = model_mbtowc(&a, text, size), library_result = mbtowc(&b, text, size);
  check(model_result == library_result && a == b && MODEL_ERRNO == errno, "mbtowc %s %zu: %d, not %d", quoted(text),
        size, model_result, library_result);
  mbtowc(NULL, NULL, 0);
  check(model_mblen(text, size) == mblen(text, size), "mblen %s %zu", quoted(text), size);
  mblen(NULL, 0);
  int byte = (int)below(300) - 10;
  if (byte >= -1 && byte < 256) check(model_btowc(byte) == btowc(byte), "btowc %d", byte);
}

static void compare_wide(wchar_t wide) {
  char model[8] = "xxxxxxx", library[8] = "xxxxxxx";
  mbstate_t state = {0};
  forget_errors();
  size_t a = model_wcrtomb(model, wide, &state), b = wcrtomb(library, wide, &state);
  check(a == b && MODEL_ERRNO == errno, "wcrtomb %x: %zd, not %zd", (unsigned)wide, a, b);
  check_bytes(model, library, sizeof model, "wcrtomb %x", (unsigned)wide);
  check(model_wctomb(model, wide) == wctomb(library, wide), "wctomb %x", (unsigned)wide);
  check(model_c32rtomb(model, (char32_t)wide, &state) == c32rtomb(library, (char32_t)wide, &state), "c32rtomb %x",
        (unsigned)wide);
  check(model_wctob((wint_t)wide) == wctob((wint_t)wide), "wctob %x", (unsigned)wide);
}

static void compare_widening(const char* text, size_t size, size_t limit) {
  wchar_t model[Room], library[Room];
  memset(model, 0x55, sizeof model);
  memset(library, 0x55, sizeof library);
  int measure = one_in(4);
  forget_errors();
  size_t a = model_mbstowcs(measure ? NULL : model, text, size), b = mbstowcs(measure ? NULL : library, text, size);
  check(a == b && MODEL_ERRNO == errno, "mbstowcs %s %zu: %zd, not %zd", quoted(text), size, a, b);
  if (b != (size_t)-1) check_bytes(model, library, sizeof model, "mbstowcs %s %zu", quoted(text), size);

  mbstate_t model_state = {0}, library_state = {0};
  const char *model_at = text, *library_at = text;
  int bounded = one_in(2);
  for (int i = 0; i < 3 && library_at != NULL; ++i) {
    size_t rest = limit < strlen(library_at) + 1 ? limit : strlen(library_at) + 1;
    forget_errors();
    a = bounded ? model_mbsnrtowcs(measure ? NULL : model, &model_at, rest, size, &model_state)
                : model_mbsrtowcs(measure ? NULL : model, &model_at, size, &model_state);
    b = bounded ? mbsnrtowcs(measure ? NULL : library, &library_at, rest, size, &library_state)
                : mbsrtowcs(measure ? NULL : library, &library_at, size, &library_state);
    /* Where an illegal sequence leaves the pointer depends on how glibc cut the input before it. */
    check(a == b && (b == (size_t)-1 || model_at == library_at) && MODEL_ERRNO == errno,
          "mbs%srtowcs %s %zu %zu: %zd at %td, not %zd at %td", bounded ? "n" : "", quoted(text), size, rest, a,
          model_at - text, b, library_at - text);
    if (b == (size_t)-1 || a != b || model_at != library_at) return;
    check_bytes(model, library, sizeof model, "mbsrtowcs %s %zu", quoted(text), size);
    check(model_state.__count == library_state.__count, "mbsrtowcs %s %zu: state", quoted(text), size);
  }
}

static void compare_narrowing(const wchar_t* text, size_t size, size_t limit) {
  char model[Room * 2], library[Room * 2];
  memset(model, 'x', sizeof model);
  memset(library, 'x', sizeof library);
  int measure = one_in(4);
  forget_errors();
  size_t a = model_wcstombs(measure ? NULL : model, text, size), b = wcstombs(measure ? NULL : library, text, size);
  check(a == b && MODEL_ERRNO == errno, "wcstombs %zu: %zd, not %zd", size, a, b);
  if (b != (size_t)-1) check_bytes(model, library, sizeof model, "wcstombs %zu", size);
  mbstate_t state = {0};
  const wchar_t *model_at = text, *library_at = text;
  int bounded = one_in(2);
  forget_errors();
  a = bounded ? model_wcsnrtombs(measure ? NULL : model, &model_at, limit, size, &state)
              : model_wcsrtombs(measure ? NULL : model, &model_at, size, &state);
  b = bounded ? wcsnrtombs(measure ? NULL : library, &library_at, limit, size, &state)
              : wcsrtombs(measure ? NULL : library, &library_at, size, &state);
  check(a == b && (b == (size_t)-1 || model_at == library_at) && MODEL_ERRNO == errno,
        "wcs%srtombs %zu %zu: %zd at %td, not %zd at %td", bounded ? "n" : "", size, limit, a, model_at - text, b,
        library_at - text);
  if (b != (size_t)-1) check_bytes(model, library, sizeof model, "wcsrtombs %zu", size);
}

void test_multibyte(void) {
  for (int i = 0; i < 12000; ++i) {
    char text[Room];
    wchar_t wide[Longest + 1];
    size_t size = random_bytes(text, Longest);
    compare_pieces(text, size);
    compare_character(text, below((unsigned)size + 2));
    compare_widening(text, below(Longest), below(Longest));
    size_t length = below(8);
    for (size_t k = 0; k < length; ++k) wide[k] = one_in(2) ? (wchar_t)below(0x800) : random_wide();
    wide[length] = 0;
    compare_wide(random_wide());
    compare_narrowing(wide, below(Longest), below(10));
  }
  for (int byte = -1; byte < 256; ++byte) check(model_btowc(byte) == btowc(byte), "btowc %d", byte);
}
