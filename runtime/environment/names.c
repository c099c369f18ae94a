/*
 * Functions that take the name of a file. A name that depends on input is compared with those of the symbolic files, in
 * code that the engine sees; a file found so is passed on under a name that does not. What a status says about a size
 * is decided before it is told.
 */
#include <stdarg.h>

#include "environment.h"

typedef struct plumb_stream FILE;
struct stat;
struct stat64;
struct statx;

int open(const char* name, int flags, ...);
int open64(const char* name, int flags, ...);
int openat(int directory, const char* name, int flags, ...);
int openat64(int directory, const char* name, int flags, ...);
int creat(const char* name, unsigned mode);
int creat64(const char* name, unsigned mode);
FILE* fopen(const char* name, const char* mode);
FILE* fopen64(const char* name, const char* mode);
FILE* freopen(const char* name, const char* mode, FILE* stream);
FILE* freopen64(const char* name, const char* mode, FILE* stream);
int fclose(FILE* stream);

static int is_refused(int error) {
  if (!plumb_env_fails()) return 0;
  __plumb_host_set_errno(error);
  return 1;
}

static int note_open(int descriptor, int writes) {
  if (descriptor >= 0 && writes) plumb_env_changes(__plumb_host_file_of(descriptor));
  return descriptor;
}

/* The mode is there only if the flags ask for it, but reading one that is not there does no harm. */
static unsigned mode_of(va_list arguments) { return va_arg(arguments, unsigned); }

#define OPEN(name)                                                                            \
  int __plumb_env_##name(const char* file, int flags, ...) {                                  \
    va_list arguments;                                                                        \
    unsigned mode;                                                                            \
    va_start(arguments, flags);                                                               \
    mode = mode_of(arguments);                                                                \
    va_end(arguments);                                                                        \
    if (is_refused(PLUMB_ENOENT)) return -1;                                                  \
    return note_open(name(plumb_env_resolve(file), flags, mode), __plumb_host_writes(flags)); \
  }
OPEN(open)
OPEN(open64)

int __plumb_env___open_2(const char* file, int flags) { return __plumb_env_open(file, flags, 0); }
int __plumb_env___open64_2(const char* file, int flags) { return __plumb_env_open64(file, flags, 0); }

#define OPENAT(name)                                                                                     \
  int __plumb_env_##name(int directory, const char* file, int flags, ...) {                              \
    va_list arguments;                                                                                   \
    unsigned mode;                                                                                       \
    va_start(arguments, flags);                                                                          \
    mode = mode_of(arguments);                                                                           \
    va_end(arguments);                                                                                   \
    if (is_refused(PLUMB_ENOENT)) return -1;                                                             \
    return note_open(name(directory, plumb_env_resolve(file), flags, mode), __plumb_host_writes(flags)); \
  }
OPENAT(openat)
OPENAT(openat64)

int __plumb_env___openat_2(int directory, const char* file, int flags) {
  return __plumb_env_openat(directory, file, flags, 0);
}
int __plumb_env___openat64_2(int directory, const char* file, int flags) {
  return __plumb_env_openat64(directory, file, flags, 0);
}

int __plumb_env_creat(const char* file, unsigned mode) {
  if (is_refused(PLUMB_ENOENT)) return -1;
  return note_open(creat(plumb_env_resolve(file), mode), 1);
}
int __plumb_env_creat64(const char* file, unsigned mode) { return __plumb_env_creat(file, mode); }

static FILE* note_stream(FILE* stream, const char* mode) {
  if (stream != 0 && __plumb_host_writes_mode(mode)) plumb_env_changes(__plumb_host_file_of_stream(stream));
  return stream;
}

FILE* __plumb_env_fopen(const char* file, const char* mode) {
  if (is_refused(PLUMB_ENOENT)) return 0;
  return note_stream(fopen(plumb_env_resolve(file), mode), mode);
}
FILE* __plumb_env_fopen64(const char* file, const char* mode) { return __plumb_env_fopen(file, mode); }
FILE* __plumb_env_freopen(const char* file, const char* mode, FILE* stream) {
  return note_stream(freopen(plumb_env_resolve(file), mode, stream), mode);
}
FILE* __plumb_env_freopen64(const char* file, const char* mode, FILE* stream) {
  return __plumb_env_freopen(file, mode, stream);
}

int __plumb_env_fclose(FILE* stream) {
  int fails = plumb_env_fails();
  int result = fclose(stream);
  if (fails && result == 0) {
    __plumb_host_set_errno(PLUMB_EIO);
    return -1;
  }
  return result;
}

#define STATUS(name, kind, told)                                            \
  int name(const char* file, struct kind* status);                          \
  int __plumb_env_##name(const char* file, struct kind* status) {           \
    int result = name(plumb_env_resolve(file), status);                     \
    if (result == 0) plumb_env_settle(__plumb_host_file_of_##told(status)); \
    return result;                                                          \
  }
STATUS(stat, stat, status)
STATUS(lstat, stat, status)
STATUS(stat64, stat64, status64)
STATUS(lstat64, stat64, status64)

#define FSTATUS(name, kind, told)                                           \
  int name(int descriptor, struct kind* status);                            \
  int __plumb_env_##name(int descriptor, struct kind* status) {             \
    int result = name(descriptor, status);                                  \
    if (result == 0) plumb_env_settle(__plumb_host_file_of_##told(status)); \
    return result;                                                          \
  }
FSTATUS(fstat, stat, status)
FSTATUS(fstat64, stat64, status64)

#define STATUS_AT(name, kind, told)                                                         \
  int name(int directory, const char* file, struct kind* status, int flags);                \
  int __plumb_env_##name(int directory, const char* file, struct kind* status, int flags) { \
    int result = name(directory, plumb_env_resolve(file), status, flags);                   \
    if (result == 0) plumb_env_settle(__plumb_host_file_of_##told(status));                 \
    return result;                                                                          \
  }
STATUS_AT(fstatat, stat, status)
STATUS_AT(fstatat64, stat64, status64)

int statx(int directory, const char* file, int flags, unsigned mask, struct statx* status);
int __plumb_env_statx(int directory, const char* file, int flags, unsigned mask, struct statx* status) {
  int result = statx(directory, plumb_env_resolve(file), flags, mask, status);
  if (result == 0) plumb_env_settle(__plumb_host_file_of_statx(status));
  return result;
}

/* Those that need nothing but the name. */
#define NAMED(name)           \
  int name(const char* file); \
  int __plumb_env_##name(const char* file) { return name(plumb_env_resolve(file)); }
NAMED(unlink)
NAMED(remove)
NAMED(rmdir)
NAMED(chdir)

#define NAMED_WITH(name, type)           \
  int name(const char* file, type more); \
  int __plumb_env_##name(const char* file, type more) { return name(plumb_env_resolve(file), more); }
NAMED_WITH(access, int)
NAMED_WITH(euidaccess, int)
NAMED_WITH(eaccess, int)
NAMED_WITH(chmod, unsigned)
NAMED_WITH(mkdir, unsigned)

int faccessat(int directory, const char* file, int mode, int flags);
int __plumb_env_faccessat(int directory, const char* file, int mode, int flags) {
  return faccessat(directory, plumb_env_resolve(file), mode, flags);
}
int unlinkat(int directory, const char* file, int flags);
int __plumb_env_unlinkat(int directory, const char* file, int flags) {
  return unlinkat(directory, plumb_env_resolve(file), flags);
}
void* opendir(const char* file);
void* __plumb_env_opendir(const char* file) { return opendir(plumb_env_resolve(file)); }
plumb_signed_size readlink(const char* file, char* memory, size_t size);
plumb_signed_size __plumb_env_readlink(const char* file, char* memory, size_t size) {
  return readlink(plumb_env_resolve(file), memory, size);
}
