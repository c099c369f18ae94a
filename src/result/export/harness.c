#define _XOPEN_SOURCE 700
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef PLUMB_SECONDS
#define PLUMB_SECONDS 10 /* that a test may take when all are run */
#endif
#define PLUMB_SKIPPED 77 /* exit code of a run that an assumption ends */

#ifdef PLUMB_RENAMED_MAIN
#define PLUMB_MAIN main
#else
#define PLUMB_MAIN __wrap_main
#define plumb_program_main __real_main
int PLUMB_MAIN(int argc, char** argv);
#endif
int plumb_program_main(int argc, char** argv, char** variables);

extern char** environ;

struct plumb_bytes {
  const char* name;
  size_t size;
  const void* bytes;
};

/* How the program is started and what it is given. */
struct plumb_case {
  const struct plumb_bytes* inputs;
  size_t input_count;
  const char* const* arguments;
  size_t argument_count;
  const struct plumb_bytes* standard_input;
  const struct plumb_bytes* files;
  size_t file_count;
  const struct plumb_bytes* variables;
  size_t variable_count;
};

enum plumb_end { PLUMB_EXITS, PLUMB_FAILS, PLUMB_IS_KILLED, PLUMB_ENDS };

struct plumb_test {
  int number;
  int (*run)(void);
  enum plumb_end end; /* as plumb test saw it; PLUMB_ENDS: in any way */
  int code;
};

/* --- The inputs, in the order in which the program asks; beyond them, and in other threads, everything is zero --- */

static const struct plumb_bytes* plumb_inputs;
static size_t plumb_inputs_left;
#if defined(__GNUC__)
#define PLUMB_WEAK __attribute__((weak))
static __thread int plumb_is_first_thread;
#else
#define PLUMB_WEAK
static int plumb_is_first_thread;
#endif

static void plumb_input(void* memory, size_t size) {
  memset(memory, 0, size);
  if (size == 0 || plumb_inputs_left == 0 || !plumb_is_first_thread) return;
  memcpy(memory, plumb_inputs->bytes, plumb_inputs->size < size ? plumb_inputs->size : size);
  ++plumb_inputs;
  --plumb_inputs_left;
}

/* All of these give way to what the program defines itself. */
PLUMB_WEAK void plumb_symbolic(void* memory, size_t size, const char* name) {
  (void)name;
  plumb_input(memory, size);
}
PLUMB_WEAK void klee_make_symbolic(void* memory, size_t size, const char* name) {
  (void)name;
  plumb_input(memory, size);
}
PLUMB_WEAK void __VERIFIER_nondet_memory(void* memory, size_t size) { plumb_input(memory, size); }
PLUMB_WEAK int klee_int(const char* name) {
  int value;
  (void)name;
  plumb_input(&value, sizeof value);
  return value;
}

#define PLUMB_NONDET(type, name)                   \
  PLUMB_WEAK type plumb_nondet_##name(void) {      \
    type value;                                    \
    plumb_input(&value, sizeof value);             \
    return value;                                  \
  }                                                \
  PLUMB_WEAK type __VERIFIER_nondet_##name(void) { \
    type value;                                    \
    plumb_input(&value, sizeof value);             \
    return value;                                  \
  }
PLUMB_NONDET(char, char)
PLUMB_NONDET(signed char, schar)
PLUMB_NONDET(unsigned char, uchar)
PLUMB_NONDET(short, short)
PLUMB_NONDET(unsigned short, ushort)
PLUMB_NONDET(int, int)
PLUMB_NONDET(unsigned int, uint)
PLUMB_NONDET(unsigned int, unsigned)
PLUMB_NONDET(unsigned int, unsigned_int)
PLUMB_NONDET(long, long)
PLUMB_NONDET(unsigned long, ulong)
PLUMB_NONDET(long long, longlong)
PLUMB_NONDET(unsigned long long, ulonglong)
PLUMB_NONDET(float, float)
PLUMB_NONDET(double, double)
PLUMB_NONDET(long double, longdouble)
PLUMB_NONDET(size_t, size_t)
PLUMB_NONDET(uint8_t, u8)
PLUMB_NONDET(uint16_t, u16)
PLUMB_NONDET(uint32_t, u32)
PLUMB_NONDET(uint64_t, u64)
PLUMB_NONDET(int8_t, int8)
PLUMB_NONDET(int16_t, int16)
PLUMB_NONDET(int32_t, int32)
PLUMB_NONDET(int64_t, int64)
PLUMB_NONDET(uint8_t, uint8)
PLUMB_NONDET(uint16_t, uint16)
PLUMB_NONDET(uint32_t, uint32)
PLUMB_NONDET(uint64_t, uint64)
PLUMB_NONDET(int8_t, int8_t)
PLUMB_NONDET(int16_t, int16_t)
PLUMB_NONDET(int32_t, int32_t)
PLUMB_NONDET(int64_t, int64_t)
PLUMB_NONDET(uint8_t, uint8_t)
PLUMB_NONDET(uint16_t, uint16_t)
PLUMB_NONDET(uint32_t, uint32_t)
PLUMB_NONDET(uint64_t, uint64_t)
PLUMB_NONDET(void*, pointer)
PLUMB_NONDET(char*, pchar)
PLUMB_NONDET(char*, charp)
#if defined(__SIZEOF_INT128__)
__extension__ typedef __int128 plumb_int128;
__extension__ typedef unsigned __int128 plumb_uint128;
PLUMB_NONDET(plumb_int128, int128)
PLUMB_NONDET(plumb_uint128, uint128)
#endif
PLUMB_WEAK _Bool plumb_nondet_bool(void) { return (plumb_nondet_uchar() & 1) != 0; }
PLUMB_WEAK _Bool __VERIFIER_nondet_bool(void) { return (plumb_nondet_uchar() & 1) != 0; }

PLUMB_WEAK void plumb_assume(int condition) {
  if (!condition) _exit(PLUMB_SKIPPED);
}
PLUMB_WEAK void klee_assume(uintptr_t condition) {
  if (!condition) _exit(PLUMB_SKIPPED);
}
PLUMB_WEAK void __VERIFIER_assume(int condition) {
  if (!condition) _exit(PLUMB_SKIPPED);
}
PLUMB_WEAK void plumb_check(int condition) {
  if (!condition) abort();
}
PLUMB_WEAK void __VERIFIER_assert(int condition) {
  if (!condition) abort();
}
PLUMB_WEAK void __VERIFIER_error(void) { abort(); }
PLUMB_WEAK void reach_error(void) { abort(); }
PLUMB_WEAK void __VERIFIER_atomic_begin(void) {}
PLUMB_WEAK void __VERIFIER_atomic_end(void) {}

/* --- A run --- */

static void plumb_give_up(const char* what) {
  perror(what);
  _exit(3);
}

static void plumb_write(int descriptor, const struct plumb_bytes* content) {
  size_t done = 0;
  while (done < content->size) {
    ssize_t size = write(descriptor, (const char*)content->bytes + done, content->size - done);
    if (size < 0 && errno != EINTR) plumb_give_up("cannot write a file of the test");
    if (size > 0) done += (size_t)size;
  }
}

/* As plumb test starts programs: with little that differs from one user to the next. */
static void plumb_set_variables(const struct plumb_case* test) {
  static char* none[] = {NULL};
  const char* libraries = getenv("LD_LIBRARY_PATH");
  size_t i;
  int failed;
  environ = none;
  failed = setenv("PATH", "/usr/local/bin:/usr/bin:/bin", 1);
  if (libraries != NULL) failed |= setenv("LD_LIBRARY_PATH", libraries, 1);
  for (i = 0; i < test->variable_count; ++i) failed |= setenv(test->variables[i].name, test->variables[i].bytes, 1);
  if (failed) plumb_give_up("cannot set a variable");
}

static void plumb_make_file(const struct plumb_bytes* file) {
  static const struct timespec times[2] = {{1000000000, 0}, {1000000000, 0}};
  int descriptor = open(file->name, O_WRONLY | O_CREAT | O_EXCL, 0644);
  if (descriptor < 0) plumb_give_up(file->name);
  plumb_write(descriptor, file);
  futimens(descriptor, times);
  close(descriptor);
}

static void plumb_set_standard_input(const struct plumb_bytes* content) {
  char name[] = "plumb-stdin-XXXXXX";
  int descriptor = content != NULL ? mkstemp(name) : open("/dev/null", O_RDONLY);
  if (descriptor < 0) plumb_give_up("cannot make the standard input");
  if (content != NULL) {
    unlink(name);
    plumb_write(descriptor, content);
    lseek(descriptor, 0, SEEK_SET);
  }
  if (descriptor == 0) return;
  dup2(descriptor, 0);
  close(descriptor);
}

/* In the directory that is current. Does what the test says and gives what the program's main gives. */
static int plumb_run(const struct plumb_case* test) {
  static char program[] = "program";
  size_t i;
  char** arguments = calloc(test->argument_count + 2, sizeof *arguments);
  if (arguments == NULL) plumb_give_up("arguments");
  arguments[0] = program;
  for (i = 0; i < test->argument_count; ++i) {
    arguments[i + 1] = malloc(strlen(test->arguments[i]) + 1); /* programs may write to their arguments */
    if (arguments[i + 1] == NULL) plumb_give_up("arguments");
    strcpy(arguments[i + 1], test->arguments[i]);
  }
  umask(022);
  for (i = 0; i < test->file_count; ++i) plumb_make_file(&test->files[i]);
  plumb_set_variables(test);
  plumb_set_standard_input(test->standard_input);
  plumb_inputs = test->inputs;
  plumb_inputs_left = test->input_count;
  plumb_is_first_thread = 1;
  return plumb_program_main((int)test->argument_count + 1, arguments, environ);
}

/* --- Choosing tests --- */

static char plumb_directory[4096];

static int plumb_remove_entry(const char* path, const struct stat* status, int kind, struct FTW* place) {
  (void)status;
  (void)kind;
  (void)place;
  return remove(path);
}

static void plumb_leave_directory(void) {
  if (chdir("/") == 0) nftw(plumb_directory, plumb_remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

static void plumb_make_directory(void) {
  const char* parent = getenv("TMPDIR");
  if (parent == NULL || strlen(parent) > sizeof plumb_directory - 32) parent = "/tmp";
  sprintf(plumb_directory, "%s/plumb-test-XXXXXX", parent);
  if (mkdtemp(plumb_directory) == NULL) plumb_give_up(plumb_directory);
}

static int plumb_is_as_recorded(const struct plumb_test* test, int status) {
  switch (test->end) {
    case PLUMB_EXITS:
      return WIFEXITED(status) && WEXITSTATUS(status) == (test->code & 255);
    case PLUMB_FAILS:
      return WIFSIGNALED(status) && WTERMSIG(status) != SIGALRM;
    case PLUMB_IS_KILLED:
      return WIFSIGNALED(status) && WTERMSIG(status) == test->code;
    default:
      return 1;
  }
}

static int plumb_run_in_child(const struct plumb_test* test) {
  int status = 0, is_right;
  pid_t child;
  plumb_make_directory();
  fflush(stdout);
  child = fork();
  if (child < 0) plumb_give_up("cannot start a process");
  if (child == 0) {
    if (chdir(plumb_directory) != 0) plumb_give_up(plumb_directory);
    alarm(PLUMB_SECONDS);
    exit(test->run());
  }
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  plumb_leave_directory();
  is_right = plumb_is_as_recorded(test, status);
  printf("test %d: %s %d%s\n", test->number, WIFSIGNALED(status) ? "signal" : "exit code",
         WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status), is_right ? "" : ", which is not as recorded");
  return is_right;
}

static int plumb_run_tests(int argc, char** argv, const struct plumb_test* tests, size_t count) {
  size_t i, wrong = 0;
  if (argc > 2 || (argc == 2 && atoi(argv[1]) <= 0)) {
    fprintf(stderr, "usage: %s [NUMBER]\nRuns the test of that number in this process, or all of them.\n", argv[0]);
    return 2;
  }
  for (i = 0; i < count; ++i) {
    if (argc == 2 && tests[i].number != atoi(argv[1])) continue;
    if (argc == 2) {
      plumb_make_directory();
      atexit(plumb_leave_directory);
      if (chdir(plumb_directory) != 0) plumb_give_up(plumb_directory);
      return tests[i].run();
    }
    wrong += !plumb_run_in_child(&tests[i]);
  }
  if (argc == 2) {
    fprintf(stderr, "there is no test %s\n", argv[1]);
    return 2;
  }
  printf("%lu of %lu tests end as recorded\n", (unsigned long)(count - wrong), (unsigned long)count);
  return wrong != 0;
}
