// purpose: tasks change their state by events; a task that is done twice is released twice, one that waits is lost
// seeded: B=1 C=1 A=1
#include <plumb/plumb.h>
#include <stdlib.h>

enum state { READY, RUNNING, WAITING, DONE };

struct task {
  enum state state;
  int* result;
};

static int finished[3];

static void handle(struct task* task, unsigned char event) {
  switch (task->state) {
    case READY:
      if (event == 's') {
        task->state = RUNNING;
        task->result = malloc(sizeof *task->result);
        if (task->result == NULL) exit(1);
        *task->result = 0;
      }
      break;
    case RUNNING:
      if (event == 'w') task->state = WAITING;
      if (event >= '0' && event <= '3') {
        *task->result = event - '0';
        task->state = DONE;
        finished[event - '0'] += 1;
      }
      break;
    case WAITING:
      if (event == 'r') task->state = RUNNING;
      if (event == 's') task->state = READY;
      break;
    case DONE:
      if (event == 'c') {
        free(task->result);
        task->state = READY;
      }
      break;
  }
}

int main(void) {
  struct task task = {READY, NULL};
  unsigned char events[4];
  plumb_symbolic(events, sizeof events, "events");
  for (int i = 0; i < 4; ++i) handle(&task, events[i]);
  free(task.result);
  return finished[0];
}
