/* The outside of a task, natively: answers its input functions and says whether it came to its error.
 *
 *   task values V…         the inputs in order, zeros behind them
 *   task random SEED RUNS  as many runs, each in a process of its own, with inputs drawn from several ranges
 *
 * Exit code 66: an error was reached, and its place and the inputs are printed; 0: none was; 77: a run did not end within
 * its time. The task is compiled with -Dmain=task_main. A false assumption and abort() end a run in silence. */
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST = 1 << 16, FOUND = 66, TOO_LONG = 77 };

static struct shared {
  long long value[MOST];
  unsigned count;
} *shared;
static unsigned given; /* values on the command line */
static int is_random, range;
static unsigned long long state;

int task_main();

static unsigned long long draw(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state * 0x2545f4914f6cdd1dull;
}

static long long drawn(unsigned bits) {
  unsigned long long r = draw() >> 8;
  switch (range == 6 ? r % 6 : (unsigned)range) {
    case 0: return (long long)(draw() >> 63);
    case 1: return (long long)((draw() >> 8) % 8);
    case 2: return (long long)((draw() >> 8) % 20) - 6;
    case 3: return (long long)((draw() >> 8) % 300);
    case 4: {
      static const long long edges[] = {0, 1, -1, INT_MAX, INT_MIN, LLONG_MAX, LLONG_MIN, 127, -128, 255, 32767, 65535, 0x55555555};
      return (long long)((unsigned long long)edges[(draw() >> 8) % (sizeof edges / sizeof *edges)] + (draw() >> 8) % 3 - 1);
    }
    default: return (long long)(draw() >> (draw() >> 32) % bits);
  }
}

static long long next(unsigned bits) {
  if (shared->count == MOST) _exit(TOO_LONG);
  if (is_random) shared->value[shared->count] = drawn(bits);
  else if (shared->count >= given) shared->value[shared->count] = 0;
  return shared->value[shared->count++];
}

#define INPUT(type, name) \
  type __VERIFIER_nondet_##name(void) { \
    unsigned at = shared->count; \
    type value = (type)next(8 * sizeof(type)); \
    shared->value[at] = (long long)value; \
    return value; \
  }
INPUT(int, int)
INPUT(unsigned, uint)
INPUT(unsigned, unsigned)
INPUT(char, char)
INPUT(signed char, schar)
INPUT(unsigned char, uchar)
INPUT(unsigned char, u8)
INPUT(short, short)
INPUT(unsigned short, ushort)
INPUT(unsigned short, u16)
INPUT(unsigned, u32)
INPUT(long, long)
INPUT(unsigned long, ulong)
INPUT(long long, longlong)
INPUT(unsigned long long, ulonglong)
INPUT(size_t, size_t)
_Bool __VERIFIER_nondet_bool(void) { return next(1) & 1; }

/* Of the threads (threads.c): any number, and the first input of a run. */
unsigned long long task_schedule(void) {
  const unsigned at = shared->count;
  const long long value = next(1);
  if (!is_random) return (unsigned long long)value;
  shared->value[at] = (long long)(draw() >> 40);
  return (unsigned long long)shared->value[at];
}

/* Variables that the task declares and nobody defines (validate.py defines them) have bytes that are inputs, too. */
__attribute__((weak)) void task_begin(void);
void task_fill(void *object, size_t size) {
  for (size_t at = 0; at < size; ++at) ((unsigned char *)object)[at] = __VERIFIER_nondet_uchar();
}

void task_found(const char *file, unsigned line, const char *function) {
  printf("error %s:%u %s\ninputs", file, line, function);
  for (unsigned k = 0; k < shared->count; ++k) printf(" %lld", shared->value[k]);
  printf("\n");
  fflush(stdout);
  _exit(FOUND);
}
void __assert_fail(const char *text, const char *file, unsigned line, const char *function) {
  (void)text;
  const char *asked = getenv("TASK_PROPERTY");
  if (asked && strncmp(asked, "no-", 3) == 0) _exit(0); /* of the order of threads alone */
  task_found(file, line, function);
  _exit(FOUND);
}
__attribute__((weak)) void reach_error(void) { task_found("", 0, "reach_error"); }
void __VERIFIER_error(void) { task_found("", 0, "__VERIFIER_error"); }
void __VERIFIER_assume(int condition) {
  if (!condition) _exit(0);
}
void abort(void) { _exit(0); }

static void too_long(int number) {
  (void)number;
  _exit(TOO_LONG);
}
static void limit_time(long microseconds) {
  struct itimerval timer = {.it_value = {microseconds / 1000000, microseconds % 1000000}};
  signal(SIGVTALRM, too_long);
  setitimer(ITIMER_VIRTUAL, &timer, NULL);
}
/* Pointers that the task left on the stack would keep its leaks from being seen. */
__attribute__((noinline)) static void clear_stack(void) {
  volatile char area[1 << 14];
  for (unsigned k = 0; k < sizeof area; ++k) area[k] = 0;
}
__attribute__((noinline)) static void run(long microseconds) {
  limit_time(microseconds);
  if (task_begin) task_begin();
  task_main();
  clear_stack();
}

int main(int count, char **arguments) {
  shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (count >= 2 && strcmp(arguments[1], "values") == 0) {
    for (int k = 2; k < count; ++k) shared->value[given++] = strtoll(arguments[k], NULL, 0);
    run(10000000);
    exit(0);
  }
  if (count != 4 || strcmp(arguments[1], "random") != 0) return 2;
  is_random = 1;
  int late = 0;
  const unsigned long long seed = strtoull(arguments[2], NULL, 0);
  const long runs = atol(arguments[3]);
  for (long k = 0; k < runs; ++k) {
    shared->count = 0;
    state = (seed * 1000003 + (unsigned long long)k) * 0x9e3779b97f4a7c15ull + 88172645463325252ull;
    for (int warm = 0; warm < 8; ++warm) draw();
    range = (int)(k % 7);
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
      run(20000);
      exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == TOO_LONG) ++late;
    else if (!WIFEXITED(status) || WEXITSTATUS(status) == FOUND) {
      if (!WIFEXITED(status)) printf("error signal %d\n", WTERMSIG(status));
      return FOUND;
    } else if (WEXITSTATUS(status) != 0 && getenv("TASK_SANITIZED")) {
      printf("error sanitizer\ninputs");
      for (unsigned i = 0; i < shared->count; ++i) printf(" %lld", shared->value[i]);
      printf("\n");
      return FOUND;
    }
  }
  printf("%ld runs, %d too long\n", runs, late);
  return late == runs ? TOO_LONG : 0;
}
