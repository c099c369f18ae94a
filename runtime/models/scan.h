#pragma once

// The scanf engine: a source of bytes with one byte of look-ahead, one directive, and the conversions.

#include <stdarg.h>
#include <stddef.h>

#include "length.h"

#define EOF (-1)

/// Of whoever has streams: ours, or the C library beside us.
typedef struct plumb_stream FILE;

/// Bytes from a stream or, without one, from a string.
struct plumb_input {
  FILE* stream;
  const char* text;
  int consumed;
};

int plumb_input_get(struct plumb_input* input);  // EOF at the end
void plumb_input_unget(struct plumb_input* input, int byte);

struct plumb_directive {
  int suppress;
  int allocate;  // the m flag
  int width;     // of the field, INT_MAX without one
  enum plumb_length length;
  char conversion;
  const char* set;  // behind the bracket of %[
  int binary;       // 0b is a prefix of %i
};

enum plumb_match { MatchDone, MatchFailed, MatchInputEnded };

/// The arguments of scanf; a structure, since a va_list is not passed on by address everywhere.
struct plumb_targets {
  va_list rest;
};

/// The conversions. They skip no white space and store nothing if the directive suppresses.
enum plumb_match plumb_scan_integer(struct plumb_input* input, const struct plumb_directive* directive,
                                    struct plumb_targets* targets);
enum plumb_match plumb_scan_real(struct plumb_input* input, const struct plumb_directive* directive,
                                 struct plumb_targets* targets);
enum plumb_match plumb_scan_text(struct plumb_input* input, const struct plumb_directive* directive,
                                 struct plumb_targets* targets);

/// The directive stores wide text. The engine takes a byte for a character, as it is in ASCII.
int plumb_scan_is_wide(const struct plumb_directive* directive);
/// Whether the engine knows all that the format asks for: not all wide text, nor arguments by number.
int plumb_scan_knows(const char* format);
/// What to do else: the C library beside us does it (native/scan_library.c), or the engine ends where it knows no more.
int plumb_scan_by_library(struct plumb_input* input, const char* format, va_list arguments);
/// The engine: number of conversions stored, or EOF.
int plumb_scan(struct plumb_input* input, const char* format, int binary, va_list arguments);
