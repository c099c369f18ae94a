#include "hostile_program.h"

#include "base/error.h"
#include "base/file.h"
#include "base/subprocess.h"
#include "instrument/runtime_objects.h"

namespace plumb::concolic {

using instrument::runtime_object;

namespace {

constexpr const char* kSource = R"(
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

uint64_t __plumb_nondet(uint32_t, const char*);
void __plumb_make_symbolic(void*, size_t, const char*, uint32_t);
void __plumb_assume(uint32_t, uint32_t, uint32_t);
void __plumb_error(uint32_t, uint32_t);
int __plumb_fork(void);
extern uint32_t* plumb_shared;
struct plumb_global { const void* base; size_t size; };
const struct plumb_global __plumb_globals[1];
const uint32_t __plumb_global_count = 0;
__attribute__((aligned(4096))) uint8_t __plumb_coverage[4096];
__attribute__((aligned(4096))) uint8_t __plumb_modes[4096];
const uint32_t __plumb_coverage_size = 4096;
const uint32_t __plumb_modes_size = 4096;

static void leave_processes(void) {
  for (int n = 0; n < 100; ++n) {
    int pid = __plumb_fork();
    if (pid < 0) exit(n);
    if (pid == 0) {
      setsid();
      for (;;) pause();
    }
    if (n < 8) memcpy(__plumb_coverage + 4 * n, &pid, 4);
  }
}

static void write_much(void) {
  static char block[1 << 16];
  int file = open("large", O_WRONLY | O_CREAT, 0600);
  for (long i = 0; i < 160000; ++i) write(file, block, sizeof block);
}

static __attribute__((noinline)) int overflow_stack(int n) {
  volatile char room[4096];
  room[n & 4095] = (char)n;
  return overflow_stack(n + 1) + room[0];
}

static char* volatile last;  /* or the compiler would do without the memory */

static void allocate_much(void) {
  for (;;) {
    char* block = malloc(1 << 20);
    if (block == NULL) exit(9);
    memset(block, 1, 1 << 20);
    last = block;
  }
}

static void remove_directory(void) {
  char name[4096];
  if (getcwd(name, sizeof name) == NULL || rmdir(name) != 0) exit(1);
}

static void leave_files(void) {
  char name[64];
  for (int i = 0; i < 200; ++i) {
    sprintf(name, "file%d", i);
    close(open(name, O_WRONLY | O_CREAT, 0));
  }
  symlink("/", "link");
  mkdir(".plumb-moved-0", 0700);
  mkdir(".plumb-moved-0/x", 0700);
  mkdir("locked", 0700);
  mkdir("locked/inside", 0700);
  chmod("locked", 0);
  memset(name, 'd', sizeof name - 1);
  name[sizeof name - 1] = 0;
  for (int i = 0; i < 100; ++i) {
    mkdir(name, 0700);
    close(open("beside", O_WRONLY | O_CREAT, 0600));
    chdir(name);
  }
}

static void look_around(void) {
  int entries = 0;
  DIR* directory = opendir(".");
  if (directory == NULL) exit(2);
  while (readdir(directory) != NULL) ++entries;
  exit(entries != 2 || open("new", O_WRONLY | O_CREAT, 0600) < 0);
}

static int escape(void) {
  char name[64];
  int grandparent = 0;
  sprintf(name, "/proc/%d/stat", (int)getppid());
  FILE* file = fopen(name, "r");
  if (file == NULL || fscanf(file, "%*d %*s %*c %d", &grandparent) != 1) return 8;
  return (open("../beside", O_WRONLY | O_CREAT, 0600) >= 0) | (chmod("..", 0711) == 0) << 1 |
         (kill(grandparent, 0) == 0) << 2;
}

static int signal_own(void) {
  int ready[2], status = 0;
  char byte;
  if (pipe(ready) != 0) return 1;
  int child = fork();
  if (child == 0) {
    setsid();
    write(ready[1], "x", 1);
    for (;;) pause();
  }
  if (read(ready[0], &byte, 1) != 1 || kill(child, SIGUSR1) != 0 || waitpid(child, &status, 0) != child) return 2;
  if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGUSR1) return 3;
  return kill(0, SIGURG) != 0 || raise(SIGURG) != 0 || kill(child, SIGUSR1) == 0;
}

static char large[3000000];

int main(void) {
  switch ((int)__plumb_nondet(4, "int")) {
    case 0: return 3;
    case 1: *(volatile int*)0 = 1; return 0;
    case 2: for (;;) {}
    case 3: leave_processes(); return 0;
    case 4: for (int i = 0; i < 1024; ++i) close(i); return 0;
    case 5: write_much(); return 0;
    case 6: memset(plumb_shared, 0xff, plumb_shared[2]); return 0;
    case 7: return overflow_stack(0);
    case 8: allocate_much(); return 0;
    case 9: kill(getppid(), SIGKILL); for (;;) pause();
    case 10: kill(getppid(), SIGSTOP); return 0;
    case 11: remove_directory(); return 0;
    case 12: leave_files(); return 0;
    case 13: look_around(); return 0;
    case 14: __plumb_assume(0, 0, 0); return 0;
    case 15: __plumb_error(1, 1); return 0;
    case 16: raise(SIGTERM); return 0;
    case 17: for (;;) __plumb_nondet(1, "char");
    case 18: __plumb_make_symbolic(large, sizeof large, "large", 1); return large[sizeof large - 1];
    case 19: __plumb_coverage[1] = __plumb_coverage[3] = 1; return __plumb_modes[0] | __plumb_modes[1] << 1;
    case 20: for (int i = 3; i < 300; ++i) write(i, "xxxx", 4); return 0;
    case 21: return escape();
    case 22: return signal_own();
    case 23: abort();
  }
  return 0;
}
)";

}  // namespace

std::filesystem::path build_hostile_program(const std::filesystem::path& directory) {
  const std::filesystem::path source = directory / "hostile.c";
  const std::filesystem::path object = directory / "runtime.o";
  std::filesystem::path executable = directory / "hostile";
  write_file(source, kSource);
  write_file(object, runtime_object(64));
  const ProcessResult result = run_process({"clang-19", "-w", "-O1", "-fno-optimize-sibling-calls", source.string(),
                                            object.string(), "-o", executable.string(), "-lm", "-lpthread"},
                                           "", Budget());
  INVARIANT(result.end == ProcessResult::End::Exited && result.code == 0, result.error);
  return executable;
}

}  // namespace plumb::concolic
