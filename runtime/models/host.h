#pragma once

// What the models ask of plumb: intrinsics without a body (src/program/intrinsic.h), and the error numbers of Linux or,
// with PLUMB_NEWLIB, of newlib.

#include <stddef.h>
#include <stdint.h>

long plumb_host_read(int descriptor, void* buffer, size_t size);         // bytes read, 0 at the end, -1 on error
long plumb_host_write(int descriptor, const void* buffer, size_t size);  // bytes written, -1 on error
int plumb_host_open(const char* path, int mode);                         // 0 read, 1 write, 2 append; -1 on error
int plumb_host_close(int descriptor);
long long plumb_host_seek(int descriptor, long long offset, int whence);
long long plumb_host_clock(int which);  // 0 seconds since 1970, 1 microseconds of processor time

void plumb_destructor_of_key(void);  // the run cannot go on: a thread will end with a value that has a destructor

void* malloc(size_t size);
void* calloc(size_t count, size_t size);
void* realloc(void* pointer, size_t size);
void* aligned_alloc(size_t alignment, size_t size);
void free(void* pointer);
_Noreturn void exit(int status);
_Noreturn void _exit(int status);
_Noreturn void abort(void);

#ifdef PLUMB_NEWLIB
int* __errno(void);
#define errno (*__errno())
#else
int* __errno_location(void);
#define errno (*__errno_location())
#endif

enum {
  EPERM = 1,
  ENOENT = 2,
  EBADF = 9,
  ENOMEM = 12,
  EACCES = 13,
  EINVAL = 22,
  ENOTTY = 25,
  ESPIPE = 29,
  EDOM = 33,
  ERANGE = 34,
#ifdef PLUMB_NEWLIB
  ENOSYS = 88,
  EILSEQ = 138,
  EOVERFLOW = 139,
#else
  ENOSYS = 38,
  EOVERFLOW = 75,
  EILSEQ = 84,
#endif
};
