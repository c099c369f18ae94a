/*
 * Counters of clang's source-based coverage that outlive every end of a program. The sections that hold them are mapped
 * onto the file that PLUMB_COUNTERS names, shared, so that each increment is in the file at once: a run may crash, call
 * _exit, fork or be killed, and runs one after another add up. Started with PLUMB_PROFILE as well, the program only
 * writes what the file holds as a profile of that name, and ends.
 *
 * LLVM's own continuous mode has no MC/DC on Linux. Sections can be mapped as they are because they fill whole pages:
 * this object aligns them, and stands last among the objects that have counters.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define EXIT_NO_COUNTERS 3
#define PAGE 4096u

__asm__(
    ".pushsection __llvm_prf_cnts,\"aw\",@progbits\n.p2align 12\n.zero 4096\n.popsection\n"
    ".pushsection __llvm_prf_bits,\"aw\",@progbits\n.p2align 12\n.zero 4096\n.popsection\n");

extern char counters_begin[] __asm__("__start___llvm_prf_cnts");
extern char counters_end[] __asm__("__stop___llvm_prf_cnts");
extern char bitmaps_begin[] __asm__("__start___llvm_prf_bits");
extern char bitmaps_end[] __asm__("__stop___llvm_prf_bits");

/* Of the profile runtime. That this symbol is defined keeps it from writing a profile of its own. */
int __llvm_profile_runtime;
void __llvm_profile_set_filename(const char* name);
int __llvm_profile_write_file(void);

static void refuse(const char* what) {
  fprintf(stderr, "plumb-coverage: %s: %s\n", what, strerror(errno));
  _exit(EXIT_NO_COUNTERS);
}

static size_t map(int file, char* begin, const char* end, size_t offset) {
  const size_t size = (size_t)(end - begin);
  if ((size_t)begin % PAGE != 0 || size % PAGE != 0) {
    errno = EINVAL;
    refuse("the counters do not fill pages");
  }
  if (mmap(begin, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, (off_t)offset) == MAP_FAILED)
    refuse("cannot map the counters");
  return offset + size;
}

/* Before all constructors that count. */
__attribute__((constructor(101))) static void keep_counters(void) {
  const char* name = getenv("PLUMB_COUNTERS");
  const char* profile = getenv("PLUMB_PROFILE");
  size_t size;
  int file;
  if (name == NULL) return;
  file = open(name, O_RDWR | O_CLOEXEC);
  if (file < 0) refuse(name);
  size = (size_t)(counters_end - counters_begin) + (size_t)(bitmaps_end - bitmaps_begin);
  errno = posix_fallocate(file, 0, (off_t)size);
  if (errno != 0) refuse(name);
  map(file, bitmaps_begin, bitmaps_end, map(file, counters_begin, counters_end, 0));
  close(file);
  if (profile != NULL) {
    __llvm_profile_set_filename(profile);
    _exit(__llvm_profile_write_file() == 0 ? 0 : EXIT_NO_COUNTERS);
  }
  unsetenv("PLUMB_COUNTERS");
}
