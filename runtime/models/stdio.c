// <stdio.h>: input and output of bytes, lines and blocks. There is nothing to lock, so the _unlocked functions are the
// plain ones.

#include "host.h"
#include "stream.h"
#include "text.h"

typedef long signed_size;

int __overflow(FILE* stream, int byte);

int fputc(int byte, FILE* stream) { return __overflow(stream, byte); }
int putc(int byte, FILE* stream) { return __overflow(stream, byte); }
int putchar(int byte) { return __overflow(stdout, byte); }
int fputc_unlocked(int byte, FILE* stream) { return __overflow(stream, byte); }
int putc_unlocked(int byte, FILE* stream) { return __overflow(stream, byte); }
int putchar_unlocked(int byte) { return __overflow(stdout, byte); }
int _IO_putc(int byte, FILE* stream) { return __overflow(stream, byte); }
int putw(int word, FILE* stream) {
  return plumb_stream_write(stream, (char*)&word, sizeof word) == sizeof word ? 0 : EOF;
}

int fputs(const char* restrict text, FILE* restrict stream) {
  size_t size = strlen(text);
  return plumb_stream_write(stream, text, size) == size ? 1 : EOF;
}

int fputs_unlocked(const char* restrict text, FILE* restrict stream) { return fputs(text, stream); }

int puts(const char* text) {
  if (fputs(text, stdout) == EOF || __overflow(stdout, '\n') == EOF) return EOF;
  return (int)strlen(text) + 1;
}

size_t fwrite(const void* restrict data, size_t size, size_t count, FILE* restrict stream) {
  if (size == 0 || count == 0) return 0;
  return plumb_stream_write(stream, data, size * count) / size;
}

size_t fwrite_unlocked(const void* restrict data, size_t size, size_t count, FILE* restrict stream) {
  return fwrite(data, size, count, stream);
}

int fgetc(FILE* stream) { return plumb_stream_get(stream); }
int getc(FILE* stream) { return plumb_stream_get(stream); }
int getchar(void) { return plumb_stream_get(stdin); }
int fgetc_unlocked(FILE* stream) { return plumb_stream_get(stream); }
int getc_unlocked(FILE* stream) { return plumb_stream_get(stream); }
int getchar_unlocked(void) { return plumb_stream_get(stdin); }
int _IO_getc(FILE* stream) { return plumb_stream_get(stream); }
int ungetc(int byte, FILE* stream) { return plumb_stream_unget(stream, byte); }

char* fgets(char* restrict line, int size, FILE* restrict stream) {
  int length = 0;
  if (size <= 0) return NULL;
  while (length < size - 1) {
    int byte = plumb_stream_get(stream);
    if (byte == EOF) break;
    line[length++] = (char)byte;
    if (byte == '\n') break;
  }
  if (length == 0 && size > 1) return NULL;
  line[length] = 0;
  return line;
}

char* fgets_unlocked(char* restrict line, int size, FILE* restrict stream) { return fgets(line, size, stream); }

char* __fgets_chk(char* restrict line, size_t room, int size, FILE* restrict stream) {
  if ((size_t)size > room) abort();
  return fgets(line, size, stream);
}

size_t fread(void* restrict data, size_t size, size_t count, FILE* restrict stream) {
  char* to = data;
  size_t done = 0;
  if (size == 0) return 0;
  for (; done < size * count; ++done) {
    int byte = plumb_stream_get(stream);
    if (byte == EOF) break;
    to[done] = (char)byte;
  }
  return done / size;
}

size_t fread_unlocked(void* restrict data, size_t size, size_t count, FILE* restrict stream) {
  return fread(data, size, count, stream);
}

size_t __fread_chk(void* restrict data, size_t room, size_t size, size_t count, FILE* restrict stream) {
  if (size != 0 && count > room / size) abort();
  return fread(data, size, count, stream);
}

signed_size getdelim(char** restrict line, size_t* restrict room, int delimiter, FILE* restrict stream) {
  size_t length = 0;
  int byte = 0;
  if (*line == NULL) *room = 0;
  while (byte != delimiter || length == 0) {
    byte = plumb_stream_get(stream);
    if (byte == EOF) break;
    if (length + 2 > *room) {
      size_t grown_room = *room < 60 ? 120 : 2 * *room;
      char* grown = realloc(*line, grown_room);
      if (grown == NULL) return -1;
      *line = grown;
      *room = grown_room;
    }
    (*line)[length++] = (char)byte;
  }
  if (length == 0) return -1;
  (*line)[length] = 0;
  return (signed_size)length;
}

signed_size __getdelim(char** restrict line, size_t* restrict room, int delimiter, FILE* restrict stream) {
  return getdelim(line, room, delimiter, stream);
}

signed_size getline(char** restrict line, size_t* restrict room, FILE* restrict stream) {
  return getdelim(line, room, '\n', stream);
}

int feof(FILE* stream) { return (stream->flags & StreamEof) != 0; }
int ferror(FILE* stream) { return (stream->flags & StreamError) != 0; }
void clearerr(FILE* stream) { stream->flags &= ~(StreamEof | StreamError); }
int feof_unlocked(FILE* stream) { return feof(stream); }
int ferror_unlocked(FILE* stream) { return ferror(stream); }
void clearerr_unlocked(FILE* stream) { clearerr(stream); }
int fileno(FILE* stream) { return stream->descriptor; }
int fileno_unlocked(FILE* stream) { return stream->descriptor; }
void flockfile(FILE* stream) { (void)stream; }
void funlockfile(FILE* stream) { (void)stream; }
int ftrylockfile(FILE* stream) { return (void)stream, 0; }

// Nothing written is ever held back.
int fflush(FILE* stream) { return (void)stream, 0; }
int fflush_unlocked(FILE* stream) { return (void)stream, 0; }
int setvbuf(FILE* restrict stream, char* restrict buffer, int mode, size_t size) {
  (void)stream;
  (void)buffer;
  (void)size;
  return mode < 0 || mode > 2 ? -1 : 0;
}
void setbuf(FILE* restrict stream, char* restrict buffer) { (void)stream, (void)buffer; }
void setbuffer(FILE* restrict stream, char* restrict buffer, size_t size) { (void)stream, (void)buffer, (void)size; }
void setlinebuf(FILE* stream) { (void)stream; }
size_t __fpending(FILE* stream) { return (void)stream, (size_t)plumb_host_between(0, 2147483647, 0); }
int __freading(FILE* stream) { return (stream->flags & StreamReads) != 0; }
int __fwriting(FILE* stream) { return (stream->flags & StreamWrites) != 0; }
int __fsetlocking(FILE* stream, int type) { return (void)stream, (void)type, 1; }
void __fpurge(FILE* stream) { stream->read_at = stream->read_end; }

void perror(const char* text) {
  const char* reason = strerror(errno);
  if (text != NULL && *text != 0) {
    fputs(text, stderr);
    fputs(": ", stderr);
  }
  fputs(reason, stderr);
  fputs("\n", stderr);
}
