/*
 * The runtime of a build without instrumentation: the inputs of one test, in the format of the given inputs of
 * protocol.h, come from the file that PLUMB_TEST names; beyond them everything is zero, as in other threads than the
 * first. The run ends at the first error, which a line `plumb-replay: error N` on standard error tells (N: enum
 * plumb_error); exit code 77 means that an assumption does not hold. With checks in the code, replay_defects.c is
 * linked too. In a given order of threads (replay_order.c) inputs of all threads are given, in that order.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "protocol.h"

#define EXIT_SKIPPED 77
#define EXIT_BAD_TEST 3

static const uint8_t* given;
static size_t given_size;
static size_t given_position;
static __thread int is_first_thread;
static const char* given_clock;

/* Bytes of objects that the program does not set, from the file that PLUMB_UNSET names: words (site, creation, offset
   in two words, count), then the bytes, up to a multiple of four. */
static const uint8_t* unset;
static size_t unset_size;
struct unset_entry {
  uint32_t site;
  uint32_t creation;
  uint64_t offset;
  uint32_t count;
};
#define MOST_UNSET_SITES 1024u
static struct {
  uint32_t site;
  uint32_t created;
} unset_sites[MOST_UNSET_SITES];
static uint32_t unset_site_count;

/* The page is shared with children, so that all processes of the run count. */
#define MOST_PROCESSES 16u
static uint32_t* processes;
/* The C library's, which puts its locks and those of others right in the child. */
static pid_t (*real_fork)(void);

/* Of standard error as it was at the start: what is told does not get lost with a program that closes its own. */
static int telling = STDERR_FILENO;
#define FIRST_OWN_DESCRIPTOR 200

/* Of replay_defects.c, if it is there. */
void plumb_begin_checked_replay(void) __attribute__((weak));
void plumb_tell_fault(int number, const siginfo_t* information, const void* context) __attribute__((weak));

/* Of replay_order.c. */
int plumb_is_ordered(void);
void plumb_order_input(void);
void plumb_order_end_run(void);

static void refuse(const char* file) {
  fprintf(stderr, "plumb-replay: cannot read the test %s: %s\n", file, strerror(errno));
  _exit(EXIT_BAD_TEST);
}

static const uint8_t* read_test(const char* file, size_t* size) {
  struct stat status;
  void* memory = 0;
  int descriptor = open(file, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0 || fstat(descriptor, &status) != 0) refuse(file);
  if (status.st_size > 0) {
    memory = mmap(0, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (memory == MAP_FAILED) refuse(file);
    *size = (size_t)status.st_size;
  }
  close(descriptor);
  return memory;
}

/* A signal that was sent is no fault of the program, whatever it is called: a line tells, and its default action
   follows. A program's own handler replaces this one. */
static void on_signal(int number, siginfo_t* information, void* context) {
  static const char line[] = "plumb-replay: sent\n";
  int is_sent = number == SIGABRT ? information->si_code == SI_USER : information->si_code <= 0;
  if (plumb_tell_fault != 0) plumb_tell_fault(number, information, context);
  if (is_sent && write(telling, line, sizeof line - 1) < 0) _exit(127);
  signal(number, SIG_DFL);
  raise(number);
}

static void watch_signals(void) {
  static const int watched[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT};
  struct sigaction action;
  size_t i;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  for (i = 0; i < sizeof watched / sizeof watched[0]; ++i) sigaction(watched[i], &action, NULL);
}

__attribute__((constructor(101))) static void begin(void) {
  const char* file = getenv("PLUMB_TEST");
  void* found = dlsym(RTLD_NEXT, "fork");
  int kept = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, FIRST_OWN_DESCRIPTOR);
  void* page = mmap(0, sizeof *processes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (kept >= 0) telling = kept;
  if (file != NULL) given = read_test(file, &given_size);
  if (getenv("PLUMB_UNSET") != NULL) unset = read_test(getenv("PLUMB_UNSET"), &unset_size);
  given_clock = getenv("PLUMB_CLOCK");
  unsetenv("PLUMB_CLOCK");
  unsetenv("PLUMB_TEST"); /* the program's own variables are those of the test */
  unsetenv("PLUMB_UNSET");
  if (page != MAP_FAILED) {
    processes = page;
    *processes = MOST_PROCESSES;
  }
  memcpy(&real_fork, &found, sizeof found);
  is_first_thread = 1;
  if (plumb_begin_checked_replay != 0) plumb_begin_checked_replay();
  watch_signals();
}

static void fill_input(void* memory, size_t size) {
  size_t rest;
  uint32_t length;
  size_t kept;
  memset(memory, 0, size);
  if (size == 0 || (!is_first_thread && !plumb_is_ordered())) return;
  plumb_order_input();
  rest = given_size - given_position;
  if (rest < sizeof length) return;
  memcpy(&length, given + given_position, sizeof length);
  given_position += sizeof length;
  rest -= sizeof length;
  kept = length < rest ? length : rest;
  memcpy(memory, given + given_position, kept < size ? kept : size);
  kept += (4 - kept % 4) % 4;
  given_position += kept < rest ? kept : rest;
}

/* What abort() does. */
static __attribute__((noreturn)) void die(void) {
  raise(SIGABRT);
  signal(SIGABRT, SIG_DFL);
  raise(SIGABRT);
  _exit(127);
}

static __attribute__((noreturn)) void fail(enum plumb_error error) {
  fflush(stdout);
  dprintf(telling, "plumb-replay: error %d\n", (int)error);
  die();
}

/* The program's own calls; an abort that the program handles is no error. */
void abort(void) {
  struct sigaction action;
  if (sigaction(SIGABRT, NULL, &action) == 0 &&
      ((action.sa_flags & SA_SIGINFO) != 0 ? action.sa_sigaction == on_signal : action.sa_handler == SIG_DFL))
    fail(PLUMB_ERROR_ABORT);
  die();
}

/* --- Values that the program does not set --- */

static uint32_t count_creation(uint32_t site) {
  uint32_t i = 0;
  while (i < unset_site_count && unset_sites[i].site != site) ++i;
  if (i == MOST_UNSET_SITES) return ~(uint32_t)0;
  unset_sites[i].site = site;
  if (i == unset_site_count) ++unset_site_count;
  return unset_sites[i].created++;
}

/* An object of a site is created. What no test says is a pattern, as in the interpreter; of an object that is not new
   (realloc) it is there already. */
#define UNSET_PATTERN 0xBE
/* Larger objects cost their memory, and a size that is wrong is no object's. */
#define MOST_SET_BYTES ((size_t)1 << 26)

void plumb_unset(void* memory, size_t size, uint32_t site, int is_new) {
  size_t at = 0;
  uint32_t creation;
  if (memory == NULL) return;
  if (is_new && size <= MOST_SET_BYTES) memset(memory, UNSET_PATTERN, size);
  if (unset_size == 0 || !is_first_thread) return;
  creation = count_creation(site);
  while (at + 5 * sizeof(uint32_t) <= unset_size) {
    struct unset_entry entry;
    memcpy(&entry.site, unset + at, sizeof entry.site);
    memcpy(&entry.creation, unset + at + 4, sizeof entry.creation);
    memcpy(&entry.offset, unset + at + 8, sizeof entry.offset);
    memcpy(&entry.count, unset + at + 16, sizeof entry.count);
    at += 20;
    if (entry.count > unset_size - at) return;
    if (entry.site == site && entry.creation == creation && entry.offset < size) {
      size_t rest = size - (size_t)entry.offset;
      memcpy((char*)memory + entry.offset, unset + at, entry.count < rest ? entry.count : rest);
    }
    at += (entry.count + 3) / 4 * 4;
  }
}

/* --- Inputs --- */

void plumb_symbolic(void* memory, size_t size, const char* name) {
  (void)name;
  fill_input(memory, size);
}

void klee_make_symbolic(void* memory, size_t size, const char* name) { plumb_symbolic(memory, size, name); }

void __VERIFIER_nondet_memory(void* memory, size_t size) { plumb_symbolic(memory, size, NULL); }

int klee_int(const char* name) {
  int value;
  plumb_symbolic(&value, sizeof value, name);
  return value;
}

#define NONDET(type, name)            \
  type plumb_nondet_##name(void) {    \
    type value;                       \
    fill_input(&value, sizeof value); \
    return value;                     \
  }                                   \
  type __VERIFIER_nondet_##name(void) { return plumb_nondet_##name(); }
NONDET(char, char)
NONDET(signed char, schar)
NONDET(unsigned char, uchar)
NONDET(short, short)
NONDET(unsigned short, ushort)
NONDET(int, int)
NONDET(unsigned int, uint)
NONDET(unsigned int, unsigned)
NONDET(unsigned int, unsigned_int)
NONDET(long, long)
NONDET(unsigned long, ulong)
NONDET(long long, longlong)
NONDET(unsigned long long, ulonglong)
NONDET(float, float)
NONDET(double, double)
NONDET(long double, longdouble)
NONDET(size_t, size_t)
NONDET(uint8_t, u8)
NONDET(uint16_t, u16)
NONDET(uint32_t, u32)
NONDET(uint64_t, u64)
NONDET(uint8_t, uint8)
NONDET(uint16_t, uint16)
NONDET(uint32_t, uint32)
NONDET(uint64_t, uint64)
NONDET(int8_t, int8)
NONDET(int16_t, int16)
NONDET(int32_t, int32)
NONDET(int64_t, int64)
NONDET(uint8_t, uint8_t)
NONDET(uint16_t, uint16_t)
NONDET(uint32_t, uint32_t)
NONDET(uint64_t, uint64_t)
NONDET(int8_t, int8_t)
NONDET(int16_t, int16_t)
NONDET(int32_t, int32_t)
NONDET(int64_t, int64_t)
NONDET(void*, pointer)
NONDET(char*, pchar)
NONDET(char*, charp)
#if defined(__SIZEOF_INT128__)
__extension__ typedef __int128 plumb_int128;
__extension__ typedef unsigned __int128 plumb_uint128;
NONDET(plumb_int128, int128)
NONDET(plumb_uint128, uint128)
#endif

/* One byte, of which the lowest bit counts. */
_Bool plumb_nondet_bool(void) { return (plumb_nondet_uchar() & 1) != 0; }
_Bool __VERIFIER_nondet_bool(void) { return plumb_nondet_bool(); }

/* --- The clock. PLUMB_CLOCK has what the test says of it, `WHICH=VALUE` for each look at it, in their order; behind them
   it is the real one. The functions do as the models in runtime/models/time.c do, and give way to the program's own --- */

#define WEAK __attribute__((weak))

enum clock_part { CLOCK_SECONDS, CLOCK_PROCESSOR, CLOCK_FRACTION };
#define MICROSECONDS 1000000L
#define NANOSECONDS 1000000000L

static struct timespec real_clock(clockid_t clock) {
  struct timespec now = {0, 0};
  syscall(SYS_clock_gettime, clock, &now);
  return now;
}

/* Whether the next look that the test knows is at this part. */
static int is_given(enum clock_part part, long long* value) {
  char* end;
  if (given_clock == NULL || !is_first_thread || *given_clock != (char)('0' + part)) return 0;
  *value = strtoll(given_clock + 2, &end, 10);
  given_clock = *end == ' ' ? end + 1 : NULL;
  return 1;
}

static long long clock_part(enum clock_part part, long long real) {
  long long value;
  return is_given(part, &value) ? value : real;
}

static long fraction(long parts, long real) {
  long long value;
  if (!is_given(CLOCK_FRACTION, &value)) return real;
  if (value < 0 || value >= parts) _exit(EXIT_SKIPPED);
  return (long)value;
}

static struct timespec clock_now(void) {
  struct timespec now = real_clock(CLOCK_REALTIME);
  now.tv_sec = (time_t)clock_part(CLOCK_SECONDS, now.tv_sec);
  now.tv_nsec = fraction(NANOSECONDS, now.tv_nsec);
  return now;
}

static long long processor_now(struct timespec real) {
  return clock_part(CLOCK_PROCESSOR, (long long)real.tv_sec * MICROSECONDS + real.tv_nsec / 1000);
}

WEAK time_t time(time_t* to) {
  time_t now = (time_t)clock_part(CLOCK_SECONDS, real_clock(CLOCK_REALTIME).tv_sec);
  if (to != NULL) *to = now;
  return now;
}

WEAK clock_t clock(void) { return (clock_t)processor_now(real_clock(CLOCK_PROCESS_CPUTIME_ID)); }

WEAK int gettimeofday(struct timeval* restrict to, void* restrict zone) {
  struct timespec now = real_clock(CLOCK_REALTIME);
  (void)zone;
  to->tv_sec = (time_t)clock_part(CLOCK_SECONDS, now.tv_sec);
  to->tv_usec = fraction(MICROSECONDS, now.tv_nsec / 1000);
  return 0;
}

WEAK int clock_gettime(clockid_t which, struct timespec* to) {
  struct timespec now = {0, 0};
  long long microseconds;
  if (syscall(SYS_clock_gettime, which, &now) != 0) return -1;
  if (which == CLOCK_REALTIME) {
    *to = clock_now();
    return 0;
  }
  microseconds = processor_now(now);
  if (microseconds < 0) _exit(EXIT_SKIPPED);
  to->tv_sec = (time_t)(microseconds / MICROSECONDS);
  to->tv_nsec = microseconds % MICROSECONDS * 1000 + fraction(1000, now.tv_nsec % 1000);
  return 0;
}

WEAK int timespec_get(struct timespec* to, int base) {
  if (base != TIME_UTC) return 0;
  *to = clock_now();
  return base;
}

/* --- Assumptions and properties. Programs often bring some of these themselves --- */

void plumb_assume(int condition) {
  if (condition) return;
  plumb_order_end_run();
  _exit(EXIT_SKIPPED);
}

void klee_assume(uintptr_t condition) { plumb_assume(condition != 0); }

WEAK void __VERIFIER_assume(int condition) { plumb_assume(condition); }

void plumb_check(int condition) {
  if (!condition) fail(PLUMB_ERROR_CHECK);
}

/* The bound that --property termination-bound sets. */
void plumb_check_termination(int condition) { plumb_check(condition); }

/* The size of an array of variable length. */
void plumb_check_vla(int condition) { plumb_check(condition); }

WEAK void __VERIFIER_assert(int condition) { plumb_check(condition); }
WEAK void __VERIFIER_error(void) { fail(PLUMB_ERROR_REACHED); }
WEAK void reach_error(void) { fail(PLUMB_ERROR_REACHED); }
WEAK void __VERIFIER_atomic_begin(void) {}
WEAK void __VERIFIER_atomic_end(void) {}

/* The C library's, with the line that says which error it is. */
__attribute__((noreturn)) void __assert_fail(const char* text, const char* file, unsigned int line,
                                             const char* function) {
  fflush(stdout);
  fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function != NULL ? function : "?", text);
  fail(PLUMB_ERROR_ASSERT);
}

/* In place of the C library's, with the limit of a traced run. */
pid_t fork(void) {
  uint32_t left = processes != NULL ? __atomic_load_n(processes, __ATOMIC_RELAXED) : 0;
  do {
    if (left == 0) {
      errno = EAGAIN;
      return -1;
    }
  } while (!__atomic_compare_exchange_n(processes, &left, left - 1, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  return real_fork != NULL ? real_fork() : _Fork();
}

pid_t vfork(void) { return fork(); }
