// purpose: a callback list is filled in a loop by a function that hands out its own variable for odd numbers
// defect: use-after-return line 26
// input: count=2
#include <plumb/plumb.h>

struct task {
  int id, runs;
};

static struct task pool[4];

static struct task* make_task(int id) {
  struct task task = {id, 1};
  struct task* made = &pool[id];
  *made = task;
#ifndef FIXED
  if (id % 2 == 1) made = &task;
#endif
  return made;
}

int main(void) {
  struct task* tasks[4];
  int count = plumb_symbolic_uchar("count") % 4, runs = 0;
  for (int i = 0; i < count; ++i) tasks[i] = make_task(i);
  for (int i = 0; i < count; ++i) runs += tasks[i]->runs;
  return runs > 9;
}
