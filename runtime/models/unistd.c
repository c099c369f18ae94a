// <unistd.h>. Of processes, terminals and the file system the world decides.

#include "host.h"
#include "text.h"

static long checked(long long result, int number) {
  if (result < 0) errno = number;
  return (long)result;
}

long read(int descriptor, void* buffer, size_t size) {
  return checked(plumb_host_read(descriptor, buffer, size), EBADF);
}
long write(int descriptor, const void* buffer, size_t size) {
  return checked(plumb_host_write(descriptor, buffer, size), EBADF);
}
int close(int descriptor) { return (int)checked(plumb_host_close(descriptor), EBADF); }
long lseek(int descriptor, long offset, int whence) {
  return checked(plumb_host_seek(descriptor, offset, whence), ESPIPE);
}
long long lseek64(int descriptor, long long offset, int whence) {
  long long position = plumb_host_seek(descriptor, offset, whence);
  if (position < 0) errno = ESPIPE;
  return position;
}

int isatty(int descriptor) { return (void)descriptor, plumb_host_outcome(ENOTTY) == 0; }

// A path has to be there as far as its end.
static int looked_up(const char* path, int usual) {
  (void)strlen(path);
  return plumb_host_outcome(usual);
}

int access(const char* path, int mode) { return (void)mode, looked_up(path, ENOENT); }
int chdir(const char* path) { return looked_up(path, ENOENT); }
int rmdir(const char* path) { return looked_up(path, EPERM); }
int unlink(const char* path) { return looked_up(path, EPERM); }
int chown(const char* path, unsigned user, unsigned group) { return (void)user, (void)group, looked_up(path, EPERM); }
int truncate(const char* path, long size) { return (void)size, looked_up(path, EPERM); }

int link(const char* from, const char* to) { return (void)strlen(from), looked_up(to, EPERM); }
int symlink(const char* from, const char* to) { return (void)strlen(from), looked_up(to, EPERM); }

// The process is the same in all of the run, whichever the world chose; its parent may end.
static int own_process;

int getpid(void) {
  if (own_process == 0) own_process = (int)plumb_host_between(1, 2147483647, 1);
  return own_process;
}

int getppid(void) { return (int)plumb_host_between(0, 2147483647, 0); }
unsigned getuid(void) { return (unsigned)plumb_host_any(1000); }
unsigned geteuid(void) { return (unsigned)plumb_host_any(1000); }
unsigned getgid(void) { return (unsigned)plumb_host_any(1000); }
unsigned getegid(void) { return (unsigned)plumb_host_any(1000); }
int getpagesize(void) { return 4096; }
unsigned sleep(unsigned seconds) { return (unsigned)plumb_host_between(0, seconds, 0); }
int usleep(unsigned microseconds) { return (void)microseconds, plumb_host_outcome(0); }
int fsync(int descriptor) { return (void)descriptor, plumb_host_outcome(0); }
int ftruncate(int descriptor, long size) { return (void)descriptor, (void)size, plumb_host_outcome(EPERM); }

char* getcwd(char* buffer, size_t size) {
  plumb_host_gap("the working directory");
  if (buffer == NULL || size < 2) {
    errno = buffer == NULL ? EINVAL : ERANGE;
    return NULL;
  }
  memcpy(buffer, "/", 2);
  return buffer;
}

long sysconf(int name) {
  enum { PageSize = 30 };
  if (name == PageSize) return 4096;
  long value = (long)plumb_host_between(-1, sizeof(long) == 8 ? 0x7fffffffffffffffll : 0x7fffffff, -1);
  if (value < 0) errno = (int)plumb_host_between(0, LastError, EINVAL);
  return value;
}
