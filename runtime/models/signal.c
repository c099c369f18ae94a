// <signal.h>: raise() runs the handler at once, or ends the program. Signals from outside can come where there is a
// handler; in a single run they do not.

#include "host.h"

enum { Signals = 65, Abort = 6 };

typedef void handler_t(int number);
#define DEFAULT ((handler_t*)0)
#define IGNORE ((handler_t*)1)
#define ERROR ((handler_t*)-1)

static handler_t* handlers[Signals];
static char is_set[Signals];

// glibc keeps two signals to itself.
static int is_signal(int number) { return number >= 1 && number < Signals && number != 32 && number != 33; }

// Whoever started the program may have had it ignored.
static handler_t* handler_of(int number) {
  enum { Kill = 9, Stop = 19 };
  if (!is_set[number]) {
    if (number != Kill && number != Stop && plumb_host_any(0) != 0) handlers[number] = IGNORE;
    is_set[number] = 1;
  }
  return handlers[number];
}

handler_t* signal(int number, handler_t* handler) {
  enum { Kill = 9, Stop = 19 };
  if (!is_signal(number) || number == Kill || number == Stop || handler == ERROR) {
    errno = EINVAL;
    return ERROR;
  }
  handler_t* previous = handler_of(number);
  if (handler != DEFAULT && handler != IGNORE) plumb_host_gap("when a signal comes");
  handlers[number] = handler;
  return previous;
}

handler_t* __sysv_signal(int number, handler_t* handler) { return signal(number, handler); }
handler_t* bsd_signal(int number, handler_t* handler) { return signal(number, handler); }

int raise(int number) {
  enum { Child = 17, Continue = 18, Urgent = 23, Window = 28 };
  if (number < 1 || number >= Signals) {
    errno = EINVAL;
    return -1;
  }
  handler_t* handler = handler_of(number);
  if (handler == IGNORE) return 0;
  if (handler != DEFAULT) {
    handler(number);
    return 0;
  }
  if (number == Child || number == Continue || number == Urgent || number == Window) return 0;
  if (number == Abort) abort();
  _exit(128 + number);
}

// Sets are kept as glibc has them: 1,024 bits, signal 1 first. Masks change nothing.
typedef struct {
  unsigned long words[1024 / (8 * sizeof(unsigned long))];
} set_t;

enum { WordBits = 8 * sizeof(unsigned long) };

static int fill_set(set_t* set, unsigned long word) {
  for (unsigned i = 0; i < sizeof set->words / sizeof set->words[0]; ++i) set->words[i] = word;
  return 0;
}

static int no_signal(void) {
  errno = EINVAL;
  return -1;
}

static unsigned long* word_of(set_t* set, int number) { return &set->words[((unsigned)number - 1) / WordBits]; }
static unsigned long bit_of(int number) { return 1ul << ((unsigned)number - 1) % WordBits; }

int sigemptyset(set_t* set) { return fill_set(set, 0); }

int sigfillset(set_t* set) {
  fill_set(set, ~0ul);
  for (int number = 32; number <= 33; ++number) *word_of(set, number) &= ~bit_of(number);
  return 0;
}

int sigaddset(set_t* set, int number) {
  if (!is_signal(number)) return no_signal();
  *word_of(set, number) |= bit_of(number);
  return 0;
}

int sigdelset(set_t* set, int number) {
  if (!is_signal(number)) return no_signal();
  *word_of(set, number) &= ~bit_of(number);
  return 0;
}

int sigismember(const set_t* set, int number) {
  if (number < 1 || number >= Signals) return no_signal();
  return (*word_of((set_t*)set, number) & bit_of(number)) != 0;
}

int sigprocmask(int how, const set_t* set, set_t* old) {
  (void)how;
  (void)set;
  plumb_host_gap("the signals that are blocked");
  if (old != NULL) sigemptyset(old);
  return 0;
}

int pthread_sigmask(int how, const set_t* set, set_t* old) { return sigprocmask(how, set, old); }

struct action {
  handler_t* handler;
  set_t mask;
  int flags;
  void (*restorer)(void);
};

int sigaction(int number, const struct action* restrict action, struct action* restrict old) {
  if (!is_signal(number)) return no_signal();
  handler_t* previous = action != NULL ? signal(number, action->handler) : handler_of(number);
  if (previous == ERROR) return -1;
  if (old != NULL) plumb_host_gap("the flags and the mask of a signal");
  if (old != NULL) *old = (struct action){.handler = previous};
  return 0;
}

unsigned alarm(unsigned seconds) {
  if (seconds != 0) plumb_host_gap("when a signal comes");
  return (unsigned)plumb_host_any(0);
}
