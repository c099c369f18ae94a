#pragma once

// Streams. The head of the structure is glibc's, since its headers inline getc_unlocked, putc_unlocked, feof_unlocked
// and ferror_unlocked: with an empty write area the inlined functions call __overflow, and what was written reaches the
// host at the end of every call, so that no output is lost when the program faults.

#include <stdarg.h>
#include <stddef.h>

#define EOF (-1)

enum {
  StreamEof = 0x10,    // _IO_EOF_SEEN
  StreamError = 0x20,  // _IO_ERR_SEEN
  StreamReads = 0x10000,
  StreamWrites = 0x20000,
  StreamOwned = 0x40000,  // made by fopen
};

enum { StreamBuffer = 1024, StreamUnget = 8 };

typedef struct plumb_stream {
  int flags;
  char* read_at;  // next byte to read
  char* read_end;
  char* read_base;
  char* write_base;  // the write area is always empty
  char* write_at;
  char* write_end;
  int descriptor;
  struct plumb_stream* next;                // of the streams that fopen made
  char buffer[StreamUnget + StreamBuffer];  // the first bytes are room for ungetc
} FILE;

extern FILE* stdin;
extern FILE* stdout;
extern FILE* stderr;

/// Writes at once. Gives the number of bytes written.
size_t plumb_stream_write(FILE* stream, const char* bytes, size_t size);
/// The next byte or EOF.
int plumb_stream_get(FILE* stream);
/// Puts one byte back; EOF if there is no room or `byte` is EOF.
int plumb_stream_unget(FILE* stream, int byte);

/// The printf engine (format.h) on a stream.
int plumb_format_stream(FILE* stream, const char* format, va_list arguments);
