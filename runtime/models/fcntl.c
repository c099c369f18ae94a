// <fcntl.h> and <sys/stat.h>: opening files as far as the host can. What the file system says of them, the world
// decides.

#include "host.h"
#include "text.h"

enum { AccessMode = 3, ReadOnly = 0, WriteOnly = 1, Create = 0100, Truncate = 01000, Append = 02000 };

// The host opens for reading, for writing afresh, or for appending.
int open(const char* path, int flags, ...) {
  int append = flags & Append ? 2 : 1;
  int mode = (flags & AccessMode) == ReadOnly ? 0 : append;
  if ((flags & AccessMode) > WriteOnly || (mode == 1 && !(flags & Truncate))) {
    plumb_host_gap("a file that is opened for reading and writing, or without truncating it,");
    return plumb_host_number(EINVAL);
  }
  int descriptor = plumb_host_open(path, mode);
  if (descriptor < 0) errno = ENOENT;
  return descriptor;
}

int open64(const char* path, int flags, ...) { return open(path, flags); }
int __open_2(const char* path, int flags) { return open(path, flags); }
int creat(const char* path, unsigned mode) { return (void)mode, open(path, WriteOnly | Create | Truncate); }

int fcntl(int descriptor, int command, ...) {
  enum { GetDescriptorFlags = 1, SetStatusFlags = 4 };
  if (command < GetDescriptorFlags || command > SetStatusFlags) plumb_host_gap("what fcntl() does");
  return descriptor >= 0 && command <= 2 && plumb_host_any(0) == 0 ? 0 : plumb_host_number(EINVAL);
}

int posix_fadvise(int descriptor, long offset, long size, int advice) {
  (void)descriptor, (void)offset, (void)size, (void)advice;
  return (int)plumb_host_between(0, LastError, 0);
}

// struct stat of glibc.
enum { StatSize = sizeof(long) == 8 ? 144 : 88 };

static int describe(void* to, int usual) {
  if (plumb_host_outcome(usual) != 0) return -1;
  plumb_host_fill(to, StatSize);
  return 0;
}

int stat(const char* path, void* to) { return (void)strlen(path), describe(to, ENOENT); }
int lstat(const char* path, void* to) { return (void)strlen(path), describe(to, ENOENT); }
int fstat(int descriptor, void* to) { return (void)descriptor, describe(to, EBADF); }
int mkdir(const char* path, unsigned mode) { return (void)mode, (void)strlen(path), plumb_host_outcome(EPERM); }
int mkfifo(const char* path, unsigned mode) { return (void)mode, (void)strlen(path), plumb_host_outcome(EPERM); }
int chmod(const char* path, unsigned mode) { return (void)mode, (void)strlen(path), plumb_host_outcome(EPERM); }
int fchmod(int descriptor, unsigned mode) { return (void)descriptor, (void)mode, plumb_host_outcome(EPERM); }

// The first mask is inherited.
static unsigned file_mask;
static int is_mask_known;

unsigned umask(unsigned mask) {
  unsigned old = is_mask_known ? file_mask : (unsigned)plumb_host_between(0, 0777, 022);
  is_mask_known = 1;
  file_mask = mask & 0777;
  return old;
}
