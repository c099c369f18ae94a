/*
 * Calls that fail, in a build without instrumentation. PLUMB_FAILING_CALLS has their numbers; every call of these
 * functions by the program itself takes one number (two where it can also come up short), in the order that the models
 * of runtime/environment count them in, and fails as they do. Weak, since a program may have functions of these names.
 */
#define _GNU_SOURCE
#define __NO_INLINE__ 1 /* the functions are defined here, not in headers */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#define WEAK __attribute__((weak))
#define MOST_FAILURES 64u
#define ERROR_SEEN 0x20

static uint32_t failing[MOST_FAILURES];
static uint32_t failing_count;
static uint32_t next_number;

extern const char __executable_start[];
extern const char etext[];

/* After the runtime has read its test. */
__attribute__((constructor(102))) static void read_failing(void) {
  const char* text = getenv("PLUMB_FAILING_CALLS");
  while (text != NULL && *text != 0 && failing_count < MOST_FAILURES) {
    char* end;
    failing[failing_count++] = (uint32_t)strtoul(text, &end, 10);
    if (end == text) break;
    text = end;
  }
  unsetenv("PLUMB_FAILING_CALLS");
}

/* Libraries call these functions too; their calls do not count. */
static int is_counted(const void* caller) {
  return failing_count != 0 && (uintptr_t)caller >= (uintptr_t)__executable_start &&
         (uintptr_t)caller < (uintptr_t)etext;
}

static int fails(const void* caller, int error) {
  uint32_t number;
  uint32_t i;
  if (!is_counted(caller)) return 0;
  number = next_number++;
  for (i = 0; i < failing_count; ++i) {
    if (failing[i] != number) continue;
    if (error != 0) errno = error;
    return 1;
  }
  return 0;
}

static size_t shortened(const void* caller, size_t size) {
  return fails(caller, 0) && size > 1 ? (size + 1) / 2 : size;
}

#undef fread_unlocked

#define CALLER __builtin_return_address(0)

/* The C library's function of this name. */
#define REAL(result, name, parameters)     \
  static result(*real) parameters;         \
  if (real == 0) {                         \
    void* found = dlsym(RTLD_NEXT, #name); \
    memcpy(&real, &found, sizeof real);    \
  }

#define OPEN(name)                                  \
  WEAK int name(const char* file, int flags, ...) { \
    mode_t mode = 0;                                \
    REAL(int, name, (const char*, int, ...))        \
    if ((flags & (O_CREAT | __O_TMPFILE)) != 0) {   \
      va_list arguments;                            \
      va_start(arguments, flags);                   \
      mode = va_arg(arguments, mode_t);             \
      va_end(arguments);                            \
    }                                               \
    if (fails(CALLER, ENOENT)) return -1;           \
    return real(file, flags, mode);                 \
  }
OPEN(open)
OPEN(open64)

#define OPENAT(name)                                               \
  WEAK int name(int directory, const char* file, int flags, ...) { \
    mode_t mode = 0;                                               \
    REAL(int, name, (int, const char*, int, ...))                  \
    if ((flags & (O_CREAT | __O_TMPFILE)) != 0) {                  \
      va_list arguments;                                           \
      va_start(arguments, flags);                                  \
      mode = va_arg(arguments, mode_t);                            \
      va_end(arguments);                                           \
    }                                                              \
    if (fails(CALLER, ENOENT)) return -1;                          \
    return real(directory, file, flags, mode);                     \
  }
OPENAT(openat)
OPENAT(openat64)

#define OPEN_2(name)                           \
  WEAK int name(const char* file, int flags);  \
  WEAK int name(const char* file, int flags) { \
    REAL(int, name, (const char*, int))        \
    if (fails(CALLER, ENOENT)) return -1;      \
    return real(file, flags);                  \
  }
OPEN_2(__open_2)
OPEN_2(__open64_2)

#define OPENAT_2(name)                                        \
  WEAK int name(int directory, const char* file, int flags);  \
  WEAK int name(int directory, const char* file, int flags) { \
    REAL(int, name, (int, const char*, int))                  \
    if (fails(CALLER, ENOENT)) return -1;                     \
    return real(directory, file, flags);                      \
  }
OPENAT_2(__openat_2)
OPENAT_2(__openat64_2)

#define CREAT(name)                              \
  WEAK int name(const char* file, mode_t mode) { \
    REAL(int, name, (const char*, mode_t))       \
    if (fails(CALLER, ENOENT)) return -1;        \
    return real(file, mode);                     \
  }
CREAT(creat)
CREAT(creat64)

#define FOPEN(name)                                     \
  WEAK FILE* name(const char* file, const char* mode) { \
    REAL(FILE*, name, (const char*, const char*))       \
    if (fails(CALLER, ENOENT)) return NULL;             \
    return real(file, mode);                            \
  }
FOPEN(fopen)
FOPEN(fopen64)

WEAK int fclose(FILE* stream) {
  int is_failing = fails(CALLER, 0);
  int result;
  REAL(int, fclose, (FILE*))
  result = real(stream);
  if (!is_failing || result != 0) return result;
  errno = EIO;
  return EOF;
}

WEAK int close(int descriptor) {
  int is_failing = fails(CALLER, 0);
  int result;
  REAL(int, close, (int))
  result = real(descriptor);
  if (!is_failing || result != 0) return result;
  errno = EIO;
  return -1;
}

WEAK ssize_t read(int descriptor, void* memory, size_t size) {
  REAL(ssize_t, read, (int, void*, size_t))
  if (fails(CALLER, EIO)) return -1;
  return real(descriptor, memory, shortened(CALLER, size));
}

WEAK ssize_t __read_chk(int descriptor, void* memory, size_t size, size_t room);
WEAK ssize_t __read_chk(int descriptor, void* memory, size_t size, size_t room) {
  REAL(ssize_t, __read_chk, (int, void*, size_t, size_t))
  if (fails(CALLER, EIO)) return -1;
  return real(descriptor, memory, shortened(CALLER, size), room);
}

#define PREAD(name, type)                                                     \
  WEAK ssize_t name(int descriptor, void* memory, size_t size, type offset) { \
    REAL(ssize_t, name, (int, void*, size_t, type))                           \
    if (fails(CALLER, EIO)) return -1;                                        \
    return real(descriptor, memory, shortened(CALLER, size), offset);         \
  }
PREAD(pread, off_t)
PREAD(pread64, off64_t)

#define PREAD_CHK(name, type)                                                              \
  WEAK ssize_t name(int descriptor, void* memory, size_t size, type offset, size_t room);  \
  WEAK ssize_t name(int descriptor, void* memory, size_t size, type offset, size_t room) { \
    REAL(ssize_t, name, (int, void*, size_t, type, size_t))                                \
    if (fails(CALLER, EIO)) return -1;                                                     \
    return real(descriptor, memory, shortened(CALLER, size), offset, room);                \
  }
PREAD_CHK(__pread_chk, off_t)
PREAD_CHK(__pread64_chk, off64_t)

WEAK ssize_t write(int descriptor, const void* memory, size_t size) {
  REAL(ssize_t, write, (int, const void*, size_t))
  if (fails(CALLER, ENOSPC)) return -1;
  return real(descriptor, memory, shortened(CALLER, size));
}

static int stream_fails(const void* caller, FILE* stream) {
  if (!fails(caller, EIO)) return 0;
  stream->_flags |= ERROR_SEEN;
  return 1;
}

#define FREAD(name)                                                         \
  WEAK size_t name(void* memory, size_t size, size_t count, FILE* stream) { \
    REAL(size_t, name, (void*, size_t, size_t, FILE*))                      \
    if (stream_fails(CALLER, stream)) return 0;                             \
    return real(memory, size, count, stream);                               \
  }
FREAD(fread)
FREAD(fread_unlocked)

#define FREAD_CHK(name)                                                                  \
  WEAK size_t name(void* memory, size_t room, size_t size, size_t count, FILE* stream);  \
  WEAK size_t name(void* memory, size_t room, size_t size, size_t count, FILE* stream) { \
    REAL(size_t, name, (void*, size_t, size_t, size_t, FILE*))                           \
    if (stream_fails(CALLER, stream)) return 0;                                          \
    return real(memory, room, size, count, stream);                                      \
  }
FREAD_CHK(__fread_chk)
FREAD_CHK(__fread_unlocked_chk)

#define FGETS(name)                                       \
  WEAK char* name(char* memory, int size, FILE* stream) { \
    REAL(char*, name, (char*, int, FILE*))                \
    if (stream_fails(CALLER, stream)) return NULL;        \
    return real(memory, size, stream);                    \
  }
FGETS(fgets)
FGETS(fgets_unlocked)

#define FGETS_CHK(name)                                                \
  WEAK char* name(char* memory, size_t room, int size, FILE* stream);  \
  WEAK char* name(char* memory, size_t room, int size, FILE* stream) { \
    REAL(char*, name, (char*, size_t, int, FILE*))                     \
    if (stream_fails(CALLER, stream)) return NULL;                     \
    return real(memory, room, size, stream);                           \
  }
FGETS_CHK(__fgets_chk)
FGETS_CHK(__fgets_unlocked_chk)

#define GETDELIM(name)                                                        \
  WEAK ssize_t name(char** line, size_t* room, int delimiter, FILE* stream);  \
  WEAK ssize_t name(char** line, size_t* room, int delimiter, FILE* stream) { \
    REAL(ssize_t, name, (char**, size_t*, int, FILE*))                        \
    if (stream_fails(CALLER, stream)) return -1;                              \
    return real(line, room, delimiter, stream);                               \
  }
GETDELIM(getdelim)
GETDELIM(__getdelim)

WEAK ssize_t getline(char** line, size_t* room, FILE* stream) {
  REAL(ssize_t, getline, (char**, size_t*, FILE*))
  if (stream_fails(CALLER, stream)) return -1;
  return real(line, room, stream);
}
