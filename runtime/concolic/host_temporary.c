/*
 * tmpfile() of a program under test, traced or replayed: the C library's makes its file in /tmp, which no sandbox lets
 * a program write. Here it is in memory, and counts towards the limit of files; nobody sees the difference.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

static FILE* file_in_memory(void) {
  int descriptor = memfd_create("tmpfile", 0);
  FILE* made = descriptor < 0 ? NULL : fdopen(descriptor, "w+");
  if (made == NULL && descriptor >= 0) {
    int error = errno;
    close(descriptor);
    errno = error;
  }
  return made;
}

/* They give way to the program's own. */
__attribute__((weak)) FILE* tmpfile(void) { return file_in_memory(); }
__attribute__((weak)) FILE* tmpfile64(void) { return file_in_memory(); }
