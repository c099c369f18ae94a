// Multibyte characters: ASCII in the "C" locale, where other bytes are no characters, and UTF-8. The latter as glibc
// has it: sequences of up to six bytes; a sequence that is too long for its value, or a surrogate, is found illegal
// when it is complete.

#include "host.h"
#include "text.h"
#include "wide.h"

size_t __ctype_get_mb_cur_max(void);

int plumb_is_utf8(void) { return __ctype_get_mb_cur_max() > 1; }

static size_t illegal(void) {
  errno = EILSEQ;
  return (size_t)-1;
}

// The length of the sequence that starts with the byte; 0 if none does. Lengths shall not depend
// on input.
static int length_of(unsigned char first) {
  if (first < 0xc2) return 0;
  plumb_apart();
  if (first < 0xe0) return 2;
  plumb_apart();
  if (first < 0xf0) return 3;
  plumb_apart();
  if (first < 0xf8) return 4;
  plumb_apart();
  if (first < 0xfc) return 5;
  plumb_apart();
  return first < 0xfe ? 6 : 0;
}

// The smallest value that needs that many bytes.
static wide_int smallest(int length) { return length == 2 ? 0x80 : 1u << (5 * length - 4); }

// What the bytes that were read say, in the place that it has in the whole.
struct sequence {
  int length;
  int read;
  wide_int value;
};

static void store_state(struct plumb_state* state, const struct sequence* sequence) {
  state->count = sequence->length << 8 | sequence->read;
  state->value = sequence->value;
}

// Reads a sequence of several bytes, or goes on with one that was begun.
static size_t read_sequence(wchar_t* to, const char* from, size_t size, struct plumb_state* state) {
  struct sequence sequence = {state->count >> 8, state->count & 0xff, state->value};
  size_t used = 0;
  if (sequence.length == 0) {
    sequence.length = length_of((unsigned char)*from);
    if (sequence.length == 0) return illegal();
    int mask = (1 << (7 - sequence.length)) - 1;
    sequence.value = (wide_int)(*from & mask) << (6 * (sequence.length - 1));
    sequence.read = 1;
    used = 1;
  }
  for (; sequence.read < sequence.length && used < size; ++used, ++sequence.read) {
    if ((from[used] & 0xc0) != 0x80) return illegal();
    sequence.value |= (wide_int)(from[used] & 0x3f) << (6 * (sequence.length - 1 - sequence.read));
  }
  if (sequence.read < sequence.length) {
    store_state(state, &sequence);
    return (size_t)-2;
  }
  if (sequence.value < smallest(sequence.length)) return illegal();
  if (sequence.value >= 0xd800 && sequence.value <= 0xdfff) return illegal();
  state->count = 0;
  state->value = 0;
  if (to != NULL) *to = (wchar_t)sequence.value;
  return used;
}

static size_t read_character(wchar_t* to, const char* from, size_t size, struct plumb_state* state) {
  if (from == NULL) {
    from = "";
    size = 1;
    to = NULL;
  }
  if (size == 0) return (size_t)-2;
  if (state->count == 0 && (unsigned char)*from < 0x80) {
    if (to != NULL) *to = *from;
    return *from != 0;
  }
  if (!plumb_is_utf8()) return illegal();
  return read_sequence(to, from, size, state);
}

size_t mbrtowc(wchar_t* restrict to, const char* restrict from, size_t size, void* restrict state) {
  static struct plumb_state own;
  return read_character(to, from, size, state != NULL ? state : &own);
}

size_t __mbrtowc(wchar_t* restrict to, const char* restrict from, size_t size, void* restrict state) {
  return mbrtowc(to, from, size, state);
}

size_t mbrlen(const char* restrict from, size_t size, void* restrict state) {
  static struct plumb_state own;
  return read_character(NULL, from, size, state != NULL ? state : &own);
}

size_t __mbrlen(const char* restrict from, size_t size, void* restrict state) { return mbrlen(from, size, state); }

size_t mbrtoc32(uint32_t* restrict to, const char* restrict from, size_t size, void* restrict state) {
  static struct plumb_state own;
  return read_character((wchar_t*)to, from, size, state != NULL ? state : &own);
}

int mbtowc(wchar_t* restrict to, const char* restrict from, size_t size) {
  static struct plumb_state own;
  own.count = 0;
  own.value = 0;
  if (from == NULL) return 0;
  size_t result = read_character(to, from, size == 0 && *from == 0 ? 1 : size, &own);
  return result >= (size_t)-2 ? -1 : (int)result;
}

int mblen(const char* from, size_t size) { return mbtowc(NULL, from, size); }

// The first byte of a sequence of that length, and one byte for each six bits after it.
static size_t write_sequence(char* to, wide_int wide, int length) {
  to[0] = (char)(0xff00 >> length | wide >> (6 * (length - 1)));
  for (int i = 1; i < length; ++i) to[i] = (char)(0x80 | (wide >> (6 * (length - 1 - i)) & 0x3f));
  return (size_t)length;
}

static size_t write_character(char* to, wide_int wide) {
  if (wide < 0x80) {
    *to = (char)wide;
    return 1;
  }
  if (!plumb_is_utf8() || wide > 0x7fffffff) return illegal();
  if (wide >= 0xd800 && wide <= 0xdfff) return illegal();
  for (int length = 2; length < 6; ++length) {
    if (wide < smallest(length + 1)) return write_sequence(to, wide, length);
  }
  return write_sequence(to, wide, 6);
}

size_t wcrtomb(char* restrict to, wchar_t from, void* restrict state) {
  struct plumb_state* given = state;
  if (to == NULL || from == 0) {
    if (to != NULL) *to = 0;
    if (given != NULL) given->count = 0;
    return 1;
  }
  return write_character(to, (wide_int)from);
}

size_t c32rtomb(char* restrict to, uint32_t from, void* restrict state) { return wcrtomb(to, (wchar_t)from, state); }

int wctomb(char* to, wchar_t from) { return to == NULL ? 0 : (int)wcrtomb(to, from, NULL); }
int mbsinit(const void* state) { return state == NULL || ((const struct plumb_state*)state)->count == 0; }
wide_int btowc(int byte) { return byte >= 0 && byte <= 127 ? (wide_int)byte : WEOF; }
int wctob(wide_int wide) { return wide <= 127 ? (int)wide : -1; }

size_t __wcrtomb_chk(char* restrict to, wchar_t from, void* restrict state, size_t room) {
  if (room < __ctype_get_mb_cur_max()) abort();
  return wcrtomb(to, from, state);
}

int __wctomb_chk(char* to, wchar_t from, size_t room) {
  if (room < __ctype_get_mb_cur_max()) abort();
  return wctomb(to, from);
}
