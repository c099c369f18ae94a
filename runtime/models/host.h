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

// What the clock says: 0 seconds since 1970, 1 microseconds of processor time, 2 a fraction of either, which is 0 in a
// single run. An input in a proof; replays have what the test says (runtime/concolic/replay.c does as the models do).
long long plumb_host_clock(int which);

long long plumb_host_any(long long usual);  // what the world decides: any value in a proof, `usual` in a run
void plumb_host_gap(const char* what);      // the world may do otherwise than what follows; `what` is a literal
void plumb_assume(int holds);

// The end of the program calls it, before destructors and as often as it was given: once is enough for it.
int plumb_host_at_exit(void (*function)(void));

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
  EINTR = 4,
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
  LastError = 133,
};

// What the world decides is any value in a proof; `usual` is what a single run has.
static inline long long plumb_host_between(long long low, long long high, long long usual) {
  long long value = plumb_host_any(usual);
  plumb_assume(value >= low && value <= high);
  return value;
}

// Of a call that the system serves or refuses: 0, or -1 with errno. `usual` is the error of a single run, or 0.
static inline int plumb_host_outcome(int usual) {
  int error = (int)plumb_host_between(0, LastError, usual);
  if (error == 0) return 0;
  errno = error;
  return -1;
}

// Likewise of a call that gives a number.
static inline int plumb_host_number(int usual_error) {
  int number = (int)plumb_host_between(-1, 2147483647, -1);
  if (number < 0) errno = (int)plumb_host_between(1, LastError, usual_error);
  return number;
}

// The world writes there. In a single run the bytes are 0.
static inline void plumb_host_fill(void* to, size_t size) {
  char* bytes = to;
  for (size_t i = 0; i < size; ++i) bytes[i] = (char)plumb_host_any(0);
}
