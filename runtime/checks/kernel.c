#define _GNU_SOURCE
#include "kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

struct reader {
  long descriptor;
  long size;
  long position;
  char buffer[4096];
};

static int open_file(struct reader* reader, const char* name) {
  reader->size = 0;
  reader->position = 0;
  reader->descriptor = syscall(SYS_openat, AT_FDCWD, name, O_RDONLY | O_CLOEXEC);
  return reader->descriptor >= 0;
}

static void close_file(const struct reader* reader) { syscall(SYS_close, reader->descriptor); }

/* -1 at the end. */
static int next(struct reader* reader) {
  if (reader->position == reader->size) {
    do reader->size = syscall(SYS_read, reader->descriptor, reader->buffer, sizeof reader->buffer);
    while (reader->size < 0 && errno == EINTR);
    reader->position = 0;
    if (reader->size <= 0) {
      reader->size = 0;
      return -1;
    }
  }
  return (unsigned char)reader->buffer[reader->position++];
}

/* The count is the 18th word behind the name, which stands in parentheses and
 * may hold any character. */
uint32_t plumb_thread_count(void) {
  int error = errno;
  struct reader reader;
  uint32_t count = 0;
  uint32_t word = 0;
  int character;
  if (open_file(&reader, "/proc/self/stat")) {
    while ((character = next(&reader)) != -1) {
      if (character == ')') {
        word = 0;
        count = 0;
      } else if (character == ' ') {
        ++word;
      } else if (word == 18 && character >= '0' && character <= '9') {
        count = 10 * count + (uint32_t)(character - '0');
      }
    }
    close_file(&reader);
  }
  errno = error;
  return count;
}

uintptr_t plumb_page_size(void) {
  uintptr_t size = (uintptr_t)getauxval(AT_PAGESZ);
  return size != 0 ? size : 4096;
}

uintptr_t plumb_address_space(void) {
  const uintptr_t page = plumb_page_size();
  struct reader reader;
  uintptr_t pages = 0;
  int character;
  if (!open_file(&reader, "/proc/self/statm")) return 0;
  while ((character = next(&reader)) >= '0' && character <= '9') pages = 10 * pages + (uintptr_t)(character - '0');
  close_file(&reader);
  return pages * page;
}

static int hex_digit(int character) {
  if (character >= '0' && character <= '9') return character - '0';
  return character >= 'a' && character <= 'f' ? character - 'a' + 10 : -1;
}

/* Gives what ended it. */
static int read_hex(struct reader* reader, uintptr_t* value) {
  int character = next(reader);
  *value = 0;
  for (; hex_digit(character) >= 0; character = next(reader)) *value = *value << 4 | (uintptr_t)hex_digit(character);
  return character;
}

struct mapping {
  uintptr_t begin;
  uintptr_t end;
  char rights[4];
  char special; /* the first letter of a name in brackets */
};

static int read_mapping(struct reader* reader, struct mapping* mapping) {
  int before = 0;
  int last = 0;
  int character;
  uint32_t i;
  if (read_hex(reader, &mapping->begin) != '-' || read_hex(reader, &mapping->end) != ' ') return 0;
  for (i = 0; i < 4; ++i) mapping->rights[i] = (char)next(reader);
  mapping->special = 0;
  while ((character = next(reader)) != '\n' && character != -1) {
    if (before == ' ' && last == '[' && mapping->special == 0) mapping->special = (char)character;
    before = last;
    last = character;
  }
  return 1;
}

static int has(const struct mapping* mapping, uintptr_t address) {
  return mapping->begin <= address && address < mapping->end;
}

/* The heap, the stack, or the kernel's. Emulators do not always say which is which. */
static int is_special(const struct mapping* mapping) {
  return mapping->special == 'h' || mapping->special == 's' || mapping->special == 'v' ||
         has(mapping, (uintptr_t)sbrk(0) - 1) || has(mapping, (uintptr_t)mapping);
}

int plumb_visit_mappings(void (*visit)(uintptr_t begin, uintptr_t end)) {
  int error = errno;
  struct reader reader;
  struct mapping mapping;
  int is_open = open_file(&reader, "/proc/self/maps");
  while (is_open && read_mapping(&reader, &mapping)) {
    if (mapping.rights[0] != 'r' || mapping.rights[1] != 'w' || mapping.rights[3] != 'p') continue;
    if (!is_special(&mapping)) visit(mapping.begin, mapping.end);
  }
  if (is_open) close_file(&reader);
  errno = error;
  return is_open;
}
