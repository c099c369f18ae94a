// <signal.h>: no signal is ever delivered from outside; raise() runs the handler at once, or ends the program.

#include "host.h"

enum { Signals = 65, Abort = 6 };

typedef void handler_t(int number);
#define DEFAULT ((handler_t*)0)
#define IGNORE ((handler_t*)1)
#define ERROR ((handler_t*)-1)

static handler_t* handlers[Signals];

handler_t* signal(int number, handler_t* handler) {
  if (number < 1 || number >= Signals) {
    errno = EINVAL;
    return ERROR;
  }
  handler_t* previous = handlers[number];
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
  handler_t* handler = handlers[number];
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

int sigemptyset(set_t* set) { return fill_set(set, 0); }
int sigfillset(set_t* set) { return fill_set(set, ~0ul); }

int sigaddset(set_t* set, int number) {
  unsigned bit = (unsigned)number - 1;
  set->words[bit / WordBits] |= 1ul << bit % WordBits;
  return 0;
}

int sigdelset(set_t* set, int number) {
  unsigned bit = (unsigned)number - 1;
  set->words[bit / WordBits] &= ~(1ul << bit % WordBits);
  return 0;
}

int sigismember(const set_t* set, int number) {
  unsigned bit = (unsigned)number - 1;
  return (int)(set->words[bit / WordBits] >> bit % WordBits & 1);
}

int sigprocmask(int how, const set_t* set, set_t* old) {
  (void)how;
  (void)set;
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
  handler_t* previous = action != NULL ? signal(number, action->handler) : handlers[number];
  if (previous == ERROR) return -1;
  if (old != NULL) *old = (struct action){.handler = previous};
  return 0;
}

unsigned alarm(unsigned seconds) { return (void)seconds, 0; }
