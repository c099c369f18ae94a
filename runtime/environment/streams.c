/*
 * Streams. The buffer of a stream on a symbolic file has shadows: they are laid over it whenever it was filled, and
 * whatever takes bytes out of it, getc as the headers inline it included, gets them along.
 */
#include "environment.h"

typedef struct plumb_stream FILE;
#define EOF (-1)
enum { ERROR_SEEN = 0x20 };

extern FILE* stdin;
extern char __libc_single_threaded;
int getc(FILE* stream);
size_t fread(void* memory, size_t size, size_t count, FILE* stream);
char* fgets(char* memory, int size, FILE* stream);
plumb_signed_size getdelim(char** line, size_t* room, int delimiter, FILE* stream);
void* realloc(void* old, size_t size);

static int is_refused(FILE* stream) {
  if (!plumb_env_fails()) return 0;
  stream->flags |= ERROR_SEEN;
  __plumb_host_set_errno(PLUMB_EIO);
  return 1;
}

/* The next byte when the buffer is empty. */
static int fill(FILE* stream) {
  struct plumb_filled filled;
  int byte = __plumb_host_fill(stream, &filled);
  if (filled.file >= 0) plumb_env_read(filled.file, filled.offset, filled.memory, filled.size, filled.room);
  if (byte == EOF || !filled.is_byte_in_memory) return byte;
  return stream->read_at[-1];
}

/* Threads share streams by locks, which what is here knows nothing of. */
static int is_ours(const FILE* stream) { return __libc_single_threaded && __plumb_host_file_of_stream(stream) >= 0; }

static int next(FILE* stream) {
  if (!__libc_single_threaded) return getc(stream);
  if (stream->read_at >= stream->read_end) return fill(stream);
  return *stream->read_at++;
}

int __plumb_env___uflow(FILE* stream) { return fill(stream); }
int __plumb_env___underflow(FILE* stream) {
  int byte = stream->read_at < stream->read_end ? *stream->read_at : fill(stream);
  if (byte != EOF && stream->read_at > stream->read_base) --stream->read_at;
  return byte;
}
int __plumb_env_getc(FILE* stream) { return next(stream); }
int __plumb_env_fgetc(FILE* stream) { return next(stream); }
int __plumb_env__IO_getc(FILE* stream) { return next(stream); }
int __plumb_env_getc_unlocked(FILE* stream) { return next(stream); }
int __plumb_env_fgetc_unlocked(FILE* stream) { return next(stream); }
int __plumb_env_getchar(void) { return next(stdin); }
int __plumb_env_getchar_unlocked(void) { return next(stdin); }

/* Back into the buffer where that has room before it: mostly it is the byte that was there. */
int __plumb_env_ungetc(int byte, FILE* stream) {
  unsigned char* at;
  if (byte == EOF) return EOF;
  if (__plumb_host_unget(byte, stream) == EOF) return EOF;
  at = stream->read_at;
  *at = (unsigned char)byte;
  return (unsigned char)byte;
}

static size_t read_bytes(unsigned char* to, size_t wanted, FILE* stream) {
  size_t got = 0;
  while (got < wanted) {
    size_t here = (size_t)(stream->read_end - stream->read_at);
    if (stream->read_at >= stream->read_end) {
      int byte = fill(stream);
      if (byte == EOF) break;
      to[got++] = (unsigned char)byte;
      continue;
    }
    if (here > wanted - got) here = wanted - got;
    __builtin_memcpy(to + got, stream->read_at, here);
    stream->read_at += here;
    got += here;
  }
  return got;
}

size_t __plumb_env_fread(void* memory, size_t size, size_t count, FILE* stream) {
  if (is_refused(stream) || size == 0 || count == 0) return 0;
  if (!is_ours(stream)) return fread(memory, size, count, stream);
  return read_bytes(memory, size * count, stream) / size;
}
size_t __plumb_env_fread_unlocked(void* memory, size_t size, size_t count, FILE* stream) {
  return __plumb_env_fread(memory, size, count, stream);
}
size_t __plumb_env___fread_chk(void* memory, size_t room, size_t size, size_t count, FILE* stream) {
  (void)room;
  return __plumb_env_fread(memory, size, count, stream);
}
size_t __plumb_env___fread_unlocked_chk(void* memory, size_t room, size_t size, size_t count, FILE* stream) {
  (void)room;
  return __plumb_env_fread(memory, size, count, stream);
}

char* __plumb_env_fgets(char* memory, int size, FILE* stream) {
  int got = 0;
  int old_error;
  if (is_refused(stream)) return 0;
  old_error = stream->flags & ERROR_SEEN;
  if (size <= 1 || !is_ours(stream)) return fgets(memory, size, stream);
  stream->flags &= ~ERROR_SEEN;
  while (got < size - 1) {
    int byte = next(stream);
    if (byte == EOF) break;
    memory[got++] = (char)byte;
    if (byte == '\n') break;
  }
  if (got == 0 || (stream->flags & ERROR_SEEN) != 0) {
    stream->flags |= old_error;
    return 0;
  }
  stream->flags |= old_error;
  memory[got] = 0;
  return memory;
}
char* __plumb_env_fgets_unlocked(char* memory, int size, FILE* stream) {
  return __plumb_env_fgets(memory, size, stream);
}
char* __plumb_env___fgets_chk(char* memory, size_t room, int size, FILE* stream) {
  (void)room;
  return __plumb_env_fgets(memory, size, stream);
}
char* __plumb_env___fgets_unlocked_chk(char* memory, size_t room, int size, FILE* stream) {
  (void)room;
  return __plumb_env_fgets(memory, size, stream);
}

plumb_signed_size __plumb_env_getdelim(char** line, size_t* room, int delimiter, FILE* stream) {
  size_t got = 0;
  if (is_refused(stream)) return -1;
  if (line == 0 || room == 0 || !is_ours(stream)) return getdelim(line, room, delimiter, stream);
  if (*line == 0 || *room == 0) {
    char* made = realloc(*line, 120);
    if (made == 0) return -1;
    *line = made;
    *room = 120;
  }
  for (;;) {
    int byte = next(stream);
    if (byte == EOF) break;
    if (got + 1 >= *room) {
      char* made = realloc(*line, 2 * *room);
      if (made == 0) return -1;
      *line = made;
      *room *= 2;
    }
    (*line)[got++] = (char)byte;
    if (byte == delimiter) break;
  }
  if (got == 0) return -1;
  (*line)[got] = 0;
  return (plumb_signed_size)got;
}
plumb_signed_size __plumb_env___getdelim(char** line, size_t* room, int delimiter, FILE* stream) {
  return __plumb_env_getdelim(line, room, delimiter, stream);
}
plumb_signed_size __plumb_env_getline(char** line, size_t* room, FILE* stream) {
  return __plumb_env_getdelim(line, room, '\n', stream);
}

/* To seek is to fill the buffer anew, or to stay in it; from the end it needs the size. */
static void sought(FILE* stream) {
  struct plumb_filled filled;
  __plumb_host_look(stream, &filled);
  if (filled.file >= 0 && filled.size != 0)
    plumb_env_read(filled.file, filled.offset, filled.memory, filled.size, filled.size);
}

static void decide_end(FILE* stream, int whence) {
  if (whence == 2) plumb_env_settle(__plumb_host_file_of_stream(stream));
}

#define SEEK(name, type)                                          \
  int name(FILE* stream, type offset, int whence);                \
  int __plumb_env_##name(FILE* stream, type offset, int whence) { \
    int result;                                                   \
    decide_end(stream, whence);                                   \
    result = name(stream, offset, whence);                        \
    sought(stream);                                               \
    return result;                                                \
  }
SEEK(fseek, long)
SEEK(fseeko, plumb_signed_size)
SEEK(fseeko64, int64_t)

void rewind(FILE* stream);
void __plumb_env_rewind(FILE* stream) {
  rewind(stream);
  sought(stream);
}
int fsetpos(FILE* stream, const void* position);
int __plumb_env_fsetpos(FILE* stream, const void* position) {
  int result = fsetpos(stream, position);
  sought(stream);
  return result;
}
