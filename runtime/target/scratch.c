/*
 * The directory that the program runs in, emptied after every run. A tree may be deeper than paths may be long, so it
 * is made flat first: what lies in a subdirectory is removed, or, if it is a directory itself, moved up beside it.
 * Every step removes an entry or a level. No memory is taken for it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "target.h"

#define OPEN_DIRECTORY (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
#define BATCH 8192

static char parent_path[LONGEST_PATH];
static char path[LONGEST_PATH + 16];
static int directory = -1;
static uint32_t moved;

struct batch {
  long size;
  long at;
  uint64_t bytes[BATCH / 8];
};

/* What struct linux_dirent64 begins with. */
#define RECORD_LENGTH 16
#define RECORD_NAME 19

/* Some entries from the beginning on. */
static void read_batch(struct batch* batch, int from) {
  batch->at = 0;
  batch->size = lseek(from, 0, SEEK_SET) == 0 ? syscall(SYS_getdents64, from, batch->bytes, sizeof batch->bytes) : 0;
}

/* Null at the end. */
static const char* next_entry(struct batch* batch) {
  while (batch->at < batch->size) {
    const char* entry = (const char*)batch->bytes + batch->at;
    unsigned short length;
    memcpy(&length, entry + RECORD_LENGTH, sizeof length);
    if (length == 0) return 0;
    batch->at += length;
    if (strcmp(entry + RECORD_NAME, ".") != 0 && strcmp(entry + RECORD_NAME, "..") != 0) return entry + RECORD_NAME;
  }
  return 0;
}

/* 0: it is a directory that is not empty, or cannot be removed. */
static int remove_entry(int from, const char* name) {
  if (unlinkat(from, name, 0) == 0 || errno == ENOENT) return 1;
  return unlinkat(from, name, AT_REMOVEDIR) == 0;
}

/* The program may have taken some of our names, but not without end. */
static int move_up(int from, const char* name) {
  char target[40];
  int attempt;
  fchmodat(from, name, 0700, 0);
  for (attempt = 0; attempt < 1000; ++attempt) {
    snprintf(target, sizeof target, ".plumb-moved-%u", moved++);
    if (faccessat(directory, target, F_OK, AT_SYMLINK_NOFOLLOW) == 0) continue;
    return renameat(from, name, directory, target) == 0;
  }
  return 0;
}

static int flatten(const char* name) {
  static struct batch batch;
  const char* entry;
  int is_done = 1;
  int inner;
  fchmodat(directory, name, 0700, 0);
  inner = openat(directory, name, OPEN_DIRECTORY);
  if (inner < 0) return 0;
  do {
    read_batch(&batch, inner);
    entry = next_entry(&batch);
    if (entry == 0) break;
    for (; is_done && entry != 0; entry = next_entry(&batch))
      is_done = remove_entry(inner, entry) || move_up(inner, entry);
  } while (is_done);
  close(inner);
  return is_done && remove_entry(directory, name);
}

static int remove_content(void) {
  static struct batch batch;
  const char* entry;
  for (;;) {
    read_batch(&batch, directory);
    entry = next_entry(&batch);
    if (entry == 0) return batch.size >= 0;
    for (; entry != 0; entry = next_entry(&batch))
      if (!remove_entry(directory, entry) && !flatten(entry)) return 0;
  }
}

static int make_inner(void) {
  snprintf(path, sizeof path, "%s/run", parent_path);
  if (mkdir(path, 0700) == 0) directory = open(path, OPEN_DIRECTORY);
  return directory >= 0;
}

const char* make_scratch(const char* parent) {
  static const char pattern[] = "/plumb-target-XXXXXX";
  if (parent == 0) parent = getenv("TMPDIR");
  if (parent == 0) parent = "/tmp";
  /* What cannot be emptied stays behind. */
  if (directory >= 0) {
    rmdir(path);
    rmdir(parent_path);
    close(directory);
    directory = -1;
  }
  if (parent[0] == '/') {
    snprintf(parent_path, sizeof parent_path, "%s", parent);
  } else if (getcwd(parent_path, sizeof parent_path) != 0 &&
             strlen(parent_path) + strlen(parent) + 2 < sizeof parent_path) {
    strcat(parent_path, "/");
    strcat(parent_path, parent);
  }
  if (strlen(parent_path) + sizeof pattern + sizeof "/run" > sizeof parent_path) {
    say("the path is too long: '%s'", parent);
    return 0;
  }
  strcat(parent_path, pattern);
  if (mkdtemp(parent_path) != 0 && make_inner()) return path;
  say("cannot make a directory for the program in '%s': %s; give another with --scratch", parent, strerror(errno));
  return 0;
}

int empty_scratch(void) {
  struct stat status;
  if (fstat(directory, &status) != 0 || status.st_nlink == 0) return 0;
  if ((status.st_mode & 07777) != 0700 && fchmod(directory, 0700) != 0) return 0;
  return remove_content();
}

void remove_scratch(void) {
  if (directory < 0) return;
  remove_content();
  rmdir(path);
  rmdir(parent_path);
}
