// <stdlib.h>: what the end of the program calls. The functions are in chunks of the 32 that C asks for, so that most
// programs need no memory for them.

#include "host.h"

typedef void exit_function(void);

enum { ChunkSize = 32 };

struct exit_chunk {
  exit_function* functions[ChunkSize];
  int count;
  struct exit_chunk* before;
};

struct exit_functions {
  struct exit_chunk first;
  struct exit_chunk* last;  // NULL: the first
};

static int add(struct exit_functions* all, exit_function* function) {
  struct exit_chunk* last = all->last != NULL ? all->last : &all->first;
  if (last->count == ChunkSize) {
    struct exit_chunk* made = calloc(1, sizeof *made);
    if (made == NULL) return -1;
    made->before = last;
    all->last = last = made;
  }
  last->functions[last->count++] = function;
  return 0;
}

// The last one first; each is forgotten before it is called, so that one that ends the program is not called again.
static void call_all(struct exit_functions* all) {
  for (;;) {
    struct exit_chunk* last = all->last != NULL ? all->last : &all->first;
    if (last->count > 0) {
      last->functions[--last->count]();
    } else if (last == &all->first) {
      return;
    } else {
      all->last = last->before;
      free(last);
    }
  }
}

static struct exit_functions at_end;
static struct exit_functions at_quick_end;

static void end(void) { call_all(&at_end); }

int atexit(exit_function* function) {
  if (add(&at_end, function) != 0) return -1;
  return plumb_host_at_exit(end);
}

int at_quick_exit(exit_function* function) { return add(&at_quick_end, function); }

_Noreturn void quick_exit(int status) {
  call_all(&at_quick_end);
  _exit(status);
}
