// purpose: a handler is missing for one of the commands, and is used only when the command is urgent too
// defect: null-dereference line 27
// input: command=2 is_urgent=1
#include <plumb/plumb.h>
#include <stddef.h>

struct handler {
  int runs, priority;
};

static struct handler start, stop;

static struct handler* handler_of(unsigned command) {
  if (command == 0) return &start;
  if (command == 1) return &stop;
  return NULL;
}

int main(void) {
  unsigned command = plumb_symbolic_uint("command");
  int is_urgent = plumb_symbolic_int("is_urgent");
  struct handler* handler = handler_of(command);
  if (command < 3) {
#ifdef FIXED
    if (is_urgent && handler != NULL) handler->priority = 9;
#else
    if (is_urgent) handler->priority = 9;
#endif
  }
  return start.priority + stop.priority;
}
