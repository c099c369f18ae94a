// <fcntl.h> and <sys/stat.h>: opening files as far as the host can, and what little can be said about a descriptor.

#include "host.h"
#include "text.h"

enum { AccessMode = 3, ReadOnly = 0, WriteOnly = 1, Create = 0100, Truncate = 01000, Append = 02000 };

// The host opens for reading, for writing afresh, or for appending.
int open(const char* path, int flags, ...) {
  int append = flags & Append ? 2 : 1;
  int mode = (flags & AccessMode) == ReadOnly ? 0 : append;
  if ((flags & AccessMode) > WriteOnly || (mode == 1 && !(flags & Truncate))) {
    errno = EINVAL;
    return -1;
  }
  int descriptor = plumb_host_open(path, mode);
  if (descriptor < 0) errno = ENOENT;
  return descriptor;
}

int open64(const char* path, int flags, ...) { return open(path, flags); }
int __open_2(const char* path, int flags) { return open(path, flags); }
int creat(const char* path, unsigned mode) { return (void)mode, open(path, WriteOnly | Create | Truncate); }

int fcntl(int descriptor, int command, ...) {
  enum { GetFlags = 1, SetFlags = 2 };
  if (descriptor >= 0 && (command == GetFlags || command == SetFlags)) return 0;
  errno = EINVAL;
  return -1;
}

int posix_fadvise(int descriptor, long offset, long size, int advice) {
  return (void)descriptor, (void)offset, (void)size, (void)advice, 0;
}

int stat(const char* path, void* to) { return (void)path, (void)to, errno = ENOENT, -1; }
int lstat(const char* path, void* to) { return (void)path, (void)to, errno = ENOENT, -1; }
int fstat(int descriptor, void* to) { return (void)descriptor, (void)to, errno = EBADF, -1; }
int mkdir(const char* path, unsigned mode) { return (void)path, (void)mode, errno = EPERM, -1; }
unsigned umask(unsigned mask) { return (void)mask, 022; }
