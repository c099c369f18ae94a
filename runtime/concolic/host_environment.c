/*
 * The part of the symbolic environment (runtime/environment) that runs without instrumentation: real files, and which
 * descriptors are open on them. A file is known by its device and number, so that copies of descriptors, /dev/stdin and
 * links lead to it as well as its name.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "../environment/environment.h"
#include "shadow.h"

#define EXIT_NO_FILE 3

/* Without its files a run says nothing about the program. */
static PLUMB_NORETURN void give_up(void) {
  if (plumb_enter()) plumb_end_run(PLUMB_END_STREAM);
  _exit(EXIT_NO_FILE);
}

static struct {
  dev_t device;
  ino_t number;
} files[PLUMB_ENV_FILES];
static uint32_t file_count;

/* Times that a program prints or compares are the same in every run. */
static const struct timespec file_times[2] = {{1000000000, 0}, {1000000000, 0}};

static int index_of(dev_t device, ino_t number) {
  uint32_t i;
  for (i = 0; i < file_count; ++i)
    if (files[i].number == number && files[i].device == device) return (int)i;
  return -1;
}

static void fill_file(int descriptor, uint32_t index, const unsigned char* content, uint32_t size) {
  struct stat status;
  if (descriptor < 0) give_up();
  while (size != 0) {
    ssize_t written = write(descriptor, content, size);
    if (written <= 0) give_up();
    content += written;
    size -= (uint32_t)written;
  }
  futimens(descriptor, file_times);
  if (fstat(descriptor, &status) != 0) give_up();
  files[index].device = status.st_dev;
  files[index].number = status.st_ino;
  file_count = index + 1;
}

/* On a file without a name that can only be read, as a shell would open it. */
static void make_standard_input(uint32_t index, const unsigned char* content, uint32_t size) {
  char path[32];
  int descriptor = memfd_create("stdin", 0);
  int opened;
  fill_file(descriptor, index, content, size);
  fchmod(descriptor, 0644);
  snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
  opened = open(path, O_RDONLY);
  if (opened < 0 || dup2(opened, STDIN_FILENO) < 0) give_up();
  close(opened);
  close(descriptor);
}

void __plumb_host_make_file(uint32_t index, const char* name, const unsigned char* content, uint32_t capacity,
                            uint32_t missing) {
  uint32_t size = missing < capacity ? capacity - missing : 0;
  int descriptor;
  if (name == 0) {
    make_standard_input(index, content, size);
    return;
  }
  descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL, 0644);
  fill_file(descriptor, index, content, size);
  close(descriptor);
}

int __plumb_host_file_of(int descriptor) {
  struct stat status;
  int old = errno;
  if (file_count == 0) return -1;
  if (fstat(descriptor, &status) != 0) {
    errno = old;
    return -1;
  }
  return index_of(status.st_dev, status.st_ino);
}

static FILE* real_stream(const struct plumb_stream* stream) { return (FILE*)(uintptr_t)stream; }

int __plumb_host_file_of_stream(const struct plumb_stream* stream) {
  FILE* real = real_stream(stream);
  if (file_count == 0 || real == 0 || fileno_unlocked(real) < 0) return -1;
  return __plumb_host_file_of(fileno_unlocked(real));
}

int __plumb_host_file_of_status(const void* status) {
  const struct stat* known = status;
  return index_of(known->st_dev, known->st_ino);
}

int __plumb_host_file_of_status64(const void* status) {
  const struct stat64* known = status;
  return index_of(known->st_dev, (ino_t)known->st_ino);
}

int __plumb_host_file_of_statx(const void* status) {
  const struct statx* known = status;
  return index_of(makedev(known->stx_dev_major, known->stx_dev_minor), (ino_t)known->stx_ino);
}

int64_t __plumb_host_position(int descriptor) {
  int old = errno;
  int64_t position = lseek64(descriptor, 0, SEEK_CUR);
  errno = old;
  return position;
}

extern int __uflow(FILE*);

/* What is pushed back lies in memory of its own, which is none of the file's. */
void __plumb_host_look(struct plumb_stream* stream, struct plumb_filled* filled) {
  FILE* real = real_stream(stream);
  memset(filled, 0, sizeof *filled);
  filled->file = -1;
  if (file_count == 0 || real->_IO_read_base != real->_IO_buf_base) return;
  filled->file = __plumb_host_file_of_stream(stream);
  if (filled->file < 0) return;
  filled->memory = stream->read_base;
  filled->size = (uint32_t)(stream->read_end - stream->read_base);
  filled->room = (uint32_t)(real->_IO_buf_end - real->_IO_buf_base);
  filled->offset = __plumb_host_position(fileno_unlocked(real)) - (int64_t)filled->size;
}

int __plumb_host_fill(struct plumb_stream* stream, struct plumb_filled* filled) {
  FILE* real = real_stream(stream);
  int byte = __uflow(real);
  __plumb_host_look(stream, filled);
  filled->is_byte_in_memory = byte != EOF && real->_IO_read_ptr > real->_IO_read_base &&
                              (unsigned char)real->_IO_read_ptr[-1] == (unsigned)byte;
  if (byte == EOF) {
    filled->offset += filled->size;
    filled->size = 0;
  }
  return byte;
}

int __plumb_host_unget(int byte, struct plumb_stream* stream) {
  return ungetc((unsigned char)byte, real_stream(stream));
}

/* Runs of bytes that are as they should be; the others were written by somebody else. */
void __plumb_host_overlay(const void* memory, const unsigned char* content, size_t size) {
  const unsigned char* read = memory;
  size_t begin = 0;
  while (begin < size) {
    size_t end = begin;
    while (end < size && read[end] == content[end]) ++end;
    if (end > begin) __plumb_copied(read + begin, content + begin, end - begin);
    if (end < size) {
      __plumb_cleared(read + end, 1);
      __plumb_host_lost();
      ++end;
    }
    begin = end;
  }
}

void __plumb_host_lost(void) { __plumb_lost(PLUMB_PIN_FILE, 0); }

int __plumb_host_writes(int flags) { return (flags & O_ACCMODE) != O_RDONLY || (flags & O_TRUNC) != 0; }

int __plumb_host_writes_mode(const char* mode) {
  return mode != 0 && (mode[0] == 'w' || mode[0] == 'a' || strchr(mode, '+') != 0);
}

int __plumb_host_shares_writes(int protection, int flags) {
  return (protection & PROT_WRITE) != 0 && (flags & MAP_SHARED) != 0;
}

void __plumb_host_set_errno(int error) { errno = error; }
