// <stdio.h>: files, as far as the host has them: opened for reading, writing or appending, not for update. Whether
// directories can be changed, the world decides.

#include "host.h"
#include "stream.h"
#include "text.h"

enum { SeekSet, SeekCurrent, SeekEnd };

// Open streams are reachable from here, as they are in glibc: one that is never closed is no memory leak.
static FILE* open_streams;

static void attach(FILE* stream, int descriptor, int direction) {
  stream->flags = (stream->flags & StreamOwned) | direction;
  stream->read_base = stream->buffer;
  stream->read_at = stream->read_end = stream->buffer + StreamUnget;
  stream->write_base = stream->write_at = stream->write_end = NULL;
  stream->descriptor = descriptor;
}

static FILE* make_stream(int descriptor, int direction) {
  FILE* stream = malloc(sizeof *stream);
  if (stream == NULL) return NULL;
  stream->flags = StreamOwned;
  attach(stream, descriptor, direction);
  stream->next = open_streams;
  open_streams = stream;
  return stream;
}

static void drop_stream(FILE* stream) {
  FILE** at = &open_streams;
  while (*at != NULL && *at != stream) at = &(*at)->next;
  if (*at != NULL) *at = stream->next;
  free(stream);
}

// Opens a file; -1 with errno if that is not possible.
static int open_file(const char* path, const char* mode) {
  int writes = mode[0] == 'w' ? 1 : 2;
  if (mode[0] != 'r' && mode[0] != 'w' && mode[0] != 'a') {
    errno = EINVAL;
    return -1;
  }
  if (strchr(mode, '+') != NULL) {
    plumb_host_gap("a file that is opened for update");
    return plumb_host_number(EINVAL);
  }
  int descriptor = plumb_host_open(path, mode[0] == 'r' ? 0 : writes);
  if (descriptor < 0) errno = ENOENT;
  return descriptor;
}

static int direction_of(const char* mode) {
  if (strchr(mode, '+') != NULL) return StreamReads | StreamWrites;
  return mode[0] == 'r' ? StreamReads : StreamWrites;
}

FILE* fopen(const char* restrict path, const char* restrict mode) {
  int descriptor = open_file(path, mode);
  return descriptor >= 0 ? make_stream(descriptor, direction_of(mode)) : NULL;
}

FILE* fopen64(const char* restrict path, const char* restrict mode) { return fopen(path, mode); }

FILE* fdopen(int descriptor, const char* mode) {
  plumb_host_gap("whether a descriptor is open");
  return make_stream(descriptor, direction_of(mode));
}

int fclose(FILE* stream) {
  int result = plumb_host_close(stream->descriptor);
  stream->flags &= ~(StreamReads | StreamWrites);
  stream->read_at = stream->read_end;
  if (stream->flags & StreamOwned) drop_stream(stream);
  return result < 0 ? EOF : 0;
}

FILE* freopen(const char* restrict path, const char* restrict mode, FILE* restrict stream) {
  if (path == NULL) {
    plumb_host_gap("a stream whose mode is changed");
    errno = EINVAL;
    return NULL;
  }
  plumb_host_close(stream->descriptor);
  int descriptor = open_file(path, mode);
  if (descriptor < 0) return NULL;
  attach(stream, descriptor, direction_of(mode));
  return stream;
}

FILE* freopen64(const char* restrict path, const char* restrict mode, FILE* restrict stream) {
  return freopen(path, mode, stream);
}

static long long seek(FILE* stream, long long offset, int whence) {
  if (whence == SeekCurrent) offset -= stream->read_end - stream->read_at;
  long long position = plumb_host_seek(stream->descriptor, offset, whence);
  if (position < 0) {
    errno = ESPIPE;
    return -1;
  }
  stream->read_at = stream->read_end = stream->buffer + StreamUnget;
  stream->flags &= ~StreamEof;
  return position;
}

static long long tell(FILE* stream) {
  long long position = plumb_host_seek(stream->descriptor, 0, SeekCurrent);
  if (position < 0) {
    errno = ESPIPE;
    return -1;
  }
  return position - (stream->read_end - stream->read_at);
}

int fseek(FILE* stream, long offset, int whence) { return seek(stream, offset, whence) < 0 ? -1 : 0; }
int fseeko(FILE* stream, long offset, int whence) { return seek(stream, offset, whence) < 0 ? -1 : 0; }
int fseeko64(FILE* stream, long long offset, int whence) { return seek(stream, offset, whence) < 0 ? -1 : 0; }
long ftell(FILE* stream) { return (long)tell(stream); }
long ftello(FILE* stream) { return (long)tell(stream); }
long long ftello64(FILE* stream) { return tell(stream); }

void rewind(FILE* stream) {
  seek(stream, 0, SeekSet);
  stream->flags &= ~StreamError;
}

int remove(const char* path) { return (void)strlen(path), plumb_host_outcome(EPERM); }

int rename(const char* from, const char* to) { return (void)strlen(from), (void)strlen(to), plumb_host_outcome(EPERM); }

static FILE* temporary(void) {
  plumb_host_gap("a temporary file");
  int descriptor = plumb_host_number(EPERM);
  return descriptor >= 0 ? make_stream(descriptor, StreamReads | StreamWrites) : NULL;
}

FILE* tmpfile(void) { return temporary(); }
FILE* tmpfile64(void) { return temporary(); }

int mkstemp(char* name) {
  enum { Letters = 6 };
  size_t length = strlen(name);
  if (length < Letters) {
    errno = EINVAL;
    return -1;
  }
  plumb_host_gap("a temporary file");
  int descriptor = plumb_host_number(EPERM);
  if (descriptor >= 0) plumb_host_fill(name + length - Letters, Letters);
  return descriptor;
}

char* tmpnam(char* name) {
  plumb_host_gap("the name of a temporary file");
  return (void)name, (char*)NULL;
}

FILE* popen(const char* command, const char* mode) {
  plumb_host_gap("what a command does");
  (void)strlen(command);
  int descriptor = plumb_host_number(EPERM);
  return descriptor >= 0 ? make_stream(descriptor, direction_of(mode)) : NULL;
}

int pclose(FILE* stream) {
  drop_stream(stream);
  return (int)plumb_host_any(-1);
}
