// The standard streams and their bytes. Reading is buffered, writing is not.

#include "stream.h"

#include "host.h"
#include "text.h"

#define AT_START(stream) ((stream).buffer + StreamUnget)
#define STANDARD(stream, direction, number) \
  {.flags = direction,                      \
   .read_at = AT_START(stream),             \
   .read_end = AT_START(stream),            \
   .read_base = (stream).buffer,            \
   .descriptor = number}

static FILE standard_input = STANDARD(standard_input, StreamReads, 0);
static FILE standard_output = STANDARD(standard_output, StreamWrites, 1);
static FILE standard_error = STANDARD(standard_error, StreamWrites, 2);
FILE* stdin = &standard_input;
FILE* stdout = &standard_output;
FILE* stderr = &standard_error;

size_t plumb_stream_write(FILE* stream, const char* bytes, size_t size) {
  if (!(stream->flags & StreamWrites)) {
    errno = EBADF;
    stream->flags |= StreamError;
    return 0;
  }
  size_t written = 0;
  while (written < size) {
    long step = plumb_host_write(stream->descriptor, bytes + written, size - written);
    if (step <= 0) {
      stream->flags |= StreamError;
      break;
    }
    written += (size_t)step;
  }
  return written;
}

static int fill(FILE* stream) {
  if (!(stream->flags & StreamReads)) {
    errno = EBADF;
    stream->flags |= StreamError;
    return 0;
  }
  if (stream->flags & StreamEof) return 0;
  stream->read_at = stream->buffer + StreamUnget;
  stream->read_end = stream->read_at;
  long size = plumb_host_read(stream->descriptor, stream->read_at, StreamBuffer);
  if (size <= 0) {
    stream->flags |= size < 0 ? StreamError : StreamEof;
    return 0;
  }
  stream->read_end += size;
  return 1;
}

int plumb_stream_get(FILE* stream) {
  if (stream->read_at >= stream->read_end && !fill(stream)) return EOF;
  return (unsigned char)*stream->read_at++;
}

int plumb_stream_unget(FILE* stream, int byte) {
  if (byte == EOF || stream->read_at == stream->read_base) return EOF;
  stream->flags &= ~StreamEof;
  *--stream->read_at = (char)byte;
  return (unsigned char)byte;
}

// What the inlined functions of glibc's headers call when their area is used up.
int __uflow(FILE* stream) { return plumb_stream_get(stream); }

int __underflow(FILE* stream) {
  int byte = plumb_stream_get(stream);
  if (byte != EOF) --stream->read_at;
  return byte;
}

int __overflow(FILE* stream, int byte) {
  char written = (char)byte;
  return plumb_stream_write(stream, &written, 1) == 1 ? (unsigned char)byte : EOF;
}
