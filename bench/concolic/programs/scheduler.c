// purpose: a scheduler of tasks with priorities, a mutex and inheritance of priority; an inversion must not last
#include <plumb/plumb.h>

enum { kTasks = 4 };
enum { kReady, kRunning, kBlocked, kSleeping };

struct task {
  int state, priority, base, wakes;
};

static struct task tasks[kTasks] = {{kReady, 1, 1, 0}, {kReady, 2, 2, 0}, {kSleeping, 3, 3, 0}, {kSleeping, 4, 4, 0}};
static int owner = -1, running = -1, now;

static int pick(void) {
  int best = -1;
  for (int i = 0; i < kTasks; i++) {
    if (tasks[i].state != kReady && tasks[i].state != kRunning) continue;
    if (best < 0 || tasks[i].priority > tasks[best].priority) best = i;
  }
  return best;
}

static void lock(int t) {
  if (owner < 0) {
    owner = t;
    return;
  }
  if (owner == t) return;
  tasks[t].state = kBlocked;
  if (tasks[owner].priority < tasks[t].priority) tasks[owner].priority = tasks[t].priority;
}

static void unlock(int t) {
  if (owner != t) return;
  owner = -1;
  tasks[t].priority = tasks[t].base;
  int best = -1;
  for (int i = 0; i < kTasks; i++)
    if (tasks[i].state == kBlocked && (best < 0 || tasks[i].priority > tasks[best].priority)) best = i;
  if (best >= 0) {
    tasks[best].state = kReady;
    owner = best;
  }
}

int main(void) {
  int inversions = 0, idle = 0;
  for (int step = 0; step < 24; step++) {
    now++;
    for (int i = 0; i < kTasks; i++)
      if (tasks[i].state == kSleeping && tasks[i].wakes <= now) tasks[i].state = kReady;
    running = pick();
    if (running < 0) {
      if (++idle == 3) return 1;
      continue;
    }
    tasks[running].state = kRunning;
    unsigned char action = plumb_nondet_uchar();
    if (action == 1) {
      lock(running);
    } else if (action == 2) {
      unlock(running);
    } else if (action == 3) {
      unsigned char ticks = plumb_nondet_uchar();
      tasks[running].state = kSleeping;
      tasks[running].wakes = now + (ticks & 15);
    } else if (action == 4) {
      unsigned char value = plumb_nondet_uchar();
      if (value >= 1 && value <= 9) tasks[running].base = tasks[running].priority = value;
    } else if (action == 0xff) {
      break;
    }
    if (tasks[running].state == kRunning) tasks[running].state = kReady;
    for (int i = 0; i < kTasks; i++)
      if (tasks[i].state == kBlocked && owner >= 0 && tasks[i].priority > tasks[owner].priority) inversions++;
    if (inversions > 2) return 2;
    plumb_check(!(owner >= 0 && tasks[owner].state == kSleeping && tasks[3].state == kBlocked && tasks[3].base == 9));
  }
  return inversions ? 3 : 0;
}
