// <unistd.h>, as far as the host has it: no terminal, no processes, no file system to look into.

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

int isatty(int descriptor) { return (void)descriptor, errno = ENOTTY, 0; }
int access(const char* path, int mode) { return (void)path, (void)mode, errno = ENOENT, -1; }
int getpid(void) { return 1; }
int getppid(void) { return 0; }
unsigned getuid(void) { return 1000; }
unsigned geteuid(void) { return 1000; }
unsigned getgid(void) { return 1000; }
unsigned getegid(void) { return 1000; }
int getpagesize(void) { return 4096; }
unsigned sleep(unsigned seconds) { return (void)seconds, 0; }
int usleep(unsigned microseconds) { return (void)microseconds, 0; }
int fsync(int descriptor) { return (void)descriptor, 0; }

char* getcwd(char* buffer, size_t size) {
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
  errno = EINVAL;
  return -1;
}
